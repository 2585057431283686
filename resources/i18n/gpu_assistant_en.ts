<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>BasePage</name>
    <message numerus="yes">
        <source>%n cause(s)</source>
        <translation>
            <numerusform>%n cause</numerusform>
            <numerusform>%n causes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactWriter</name>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileBars</name>
    <message numerus="yes">
        <source>{done} of %n file(s) here</source>
        <translation>
            <numerusform>{done} of %n file here</numerusform>
            <numerusform>{done} of %n files here</numerusform>
        </translation>
    </message>
</context>
</TS>
