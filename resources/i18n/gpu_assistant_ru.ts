<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ru_RU" sourcelanguage="en_US">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About GPU Assistant</source>
        <translation>О программе GPU Assistant</translation>
    </message>
    <message>
        <source>From a graphics card to a network in training.</source>
        <translation>От видеокарты до нейросети, которая уже учится.</translation>
    </message>
    <message>
        <source>GPU Assistant is free software under the MIT licence. The window is made with Qt and PySide6 (LGPL-3.0). Installs are done by uv (MIT or Apache-2.0).</source>
        <translation>GPU Assistant – свободная программа под лицензией MIT. Окно сделано на Qt и PySide6 (LGPL-3.0). Пакеты ставит uv (MIT или Apache-2.0).</translation>
    </message>
    <message>
        <source>&amp;Licences of all parts</source>
        <translation>&amp;Лицензии всех частей</translation>
    </message>
</context>
<context>
    <name>Bar</name>
    <message>
        <source>1 min</source>
        <translation>1 мин</translation>
    </message>
    <message>
        <source>5 min</source>
        <translation>5 мин</translation>
    </message>
    <message>
        <source>15 min</source>
        <translation>15 мин</translation>
    </message>
    <message>
        <source>1 h</source>
        <translation>1 ч</translation>
    </message>
    <message>
        <source>6 h</source>
        <translation>6 ч</translation>
    </message>
    <message>
        <source>24 h</source>
        <translation>24 ч</translation>
    </message>
    <message>
        <source>Show this much time</source>
        <translation>Сколько времени показывать</translation>
    </message>
    <message>
        <source>&amp;Back to now</source>
        <translation>&amp;К текущему моменту</translation>
    </message>
    <message>
        <source>Closes the recording and shows what happens now</source>
        <translation>Закроет запись и покажет, что происходит сейчас</translation>
    </message>
    <message>
        <source>C&amp;ards</source>
        <translation>К&amp;арты</translation>
    </message>
    <message>
        <source>Which cards the charts show</source>
        <translation>Какие карты показывать на графиках</translation>
    </message>
    <message>
        <source>Cha&amp;rts</source>
        <translation>&amp;Графики</translation>
    </message>
    <message>
        <source>Which charts are shown</source>
        <translation>Какие графики показывать</translation>
    </message>
    <message>
        <source>Re&amp;cord</source>
        <translation>&amp;Записать</translation>
    </message>
    <message>
        <source>Writes everything into a file until you click again</source>
        <translation>Пишет всё в файл, пока не нажмёте ещё раз</translation>
    </message>
    <message>
        <source>&amp;More</source>
        <translation>&amp;Ещё</translation>
    </message>
    <message>
        <source>&amp;Open a recording…</source>
        <translation>&amp;Открыть запись…</translation>
    </message>
    <message>
        <source>Com&amp;pare two recordings…</source>
        <translation>&amp;Сравнить две записи…</translation>
    </message>
    <message>
        <source>Export as a &amp;table (CSV)…</source>
        <translation>Сохранить как &amp;таблицу (CSV)…</translation>
    </message>
    <message>
        <source>Save the charts as a p&amp;icture…</source>
        <translation>Сохранить графики &amp;картинкой…</translation>
    </message>
    <message>
        <source>Open the &amp;folder with recordings</source>
        <translation>Открыть &amp;папку с записями</translation>
    </message>
    <message>
        <source>Small &amp;window above the others</source>
        <translation>Маленькое &amp;окно поверх других</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>&amp;Продолжить</translation>
    </message>
    <message>
        <source>The charts follow again</source>
        <translation>Графики снова движутся</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Пауза</translation>
    </message>
    <message>
        <source>The charts stand still; sampling goes on</source>
        <translation>Графики стоят, замеры идут дальше</translation>
    </message>
    <message>
        <source>As at the beginning</source>
        <translation>Как вначале</translation>
    </message>
    <message>
        <source>All of them</source>
        <translation>Все</translation>
    </message>
</context>
<context>
    <name>BasePage</name>
    <message>
        <source>Search: words, an error code, a package</source>
        <translation>Поиск: слова, код ошибки, пакет</translation>
    </message>
    <message>
        <source>Search the causes</source>
        <translation>Поиск по причинам</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>Причины</translation>
    </message>
    <message>
        <source>Choose a cause at the left to read about it.</source>
        <translation>Выберите причину слева, чтобы прочитать о ней.</translation>
    </message>
    <message numerus="yes">
        <source>%n cause(s)</source>
        <translation>
            <numerusform>%n причина</numerusform>
            <numerusform>%n причины</numerusform>
            <numerusform>%n причин</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing found. Try one word, or the number of the error.</source>
        <translation>Ничего не нашлось. Попробуйте одно слово или номер ошибки.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Память</translation>
    </message>
    <message>
        <source>Driver and card</source>
        <translation>Драйвер и карта</translation>
    </message>
    <message>
        <source>Builds and versions</source>
        <translation>Сборки и версии</translation>
    </message>
    <message>
        <source>While training</source>
        <translation>Во время обучения</translation>
    </message>
    <message>
        <source>Installing packages</source>
        <translation>Установка пакетов</translation>
    </message>
    <message>
        <source>Frameworks and add-ons</source>
        <translation>Фреймворки и дополнения</translation>
    </message>
    <message>
        <source>Not about the card</source>
        <translation>Не о карте</translation>
    </message>
</context>
<context>
    <name>Chart</name>
    <message>
        <source>Ctrl and the wheel zoom, dragging moves, a double click goes back to now</source>
        <translation>Ctrl и колесо меняют масштаб, перетаскивание двигает, двойной щелчок возвращает к текущему моменту</translation>
    </message>
</context>
<context>
    <name>CheckPage</name>
    <message>
        <source>Is my script right?</source>
        <translation>Всё ли в порядке с моим скриптом?</translation>
    </message>
    <message>
        <source>&amp;Open a script…</source>
        <translation>&amp;Открыть скрипт…</translation>
    </message>
    <message>
        <source>Check &amp;again</source>
        <translation>Проверить &amp;снова</translation>
    </message>
    <message>
        <source>Drop your training script or notebook here. It is read, never run, and stays on this computer.</source>
        <translation>Перетащите сюда скрипт обучения или блокнот. Он только читается, не запускается и никуда не отправляется.</translation>
    </message>
    <message>
        <source>Happens by itself when you save the file</source>
        <translation>Само происходит при сохранении файла</translation>
    </message>
    <message>
        <source>The script</source>
        <translation>Скрипт</translation>
    </message>
    <message>
        <source>Drop a .py or .ipynb file here</source>
        <translation>Перетащите сюда файл .py или .ipynb</translation>
    </message>
    <message>
        <source>Is everything on the card: the model, the batches, the optimizer?</source>
        <translation>Всё ли на видеокарте: модель, батчи, оптимизатор?</translation>
    </message>
    <message>
        <source>What slows each step: waiting, copying, printing, a slow loader?</source>
        <translation>Что тормозит каждый шаг: ожидание, копирование, печать, медленный загрузчик?</translation>
    </message>
    <message>
        <source>What makes video memory grow?</source>
        <translation>Из-за чего растёт видеопамять?</translation>
    </message>
    <message>
        <source>PyTorch, TensorFlow, Keras and JAX; .py and .ipynb</source>
        <translation>PyTorch, TensorFlow, Keras и JAX; .py и .ipynb</translation>
    </message>
    <message>
        <source>Scripts and notebooks (*.py *.pyw *.ipynb)</source>
        <translation>Скрипты и блокноты (*.py *.pyw *.ipynb)</translation>
    </message>
    <message>
        <source>Open a script</source>
        <translation>Открыть скрипт</translation>
    </message>
</context>
<context>
    <name>ChoosePage</name>
    <message>
        <source>Choose what to install</source>
        <translation>Что поставить</translation>
    </message>
    <message>
        <source>The best way for your card stands first. You see the exact commands before anything runs.</source>
        <translation>Лучший вариант для вашей карты – первый. Все команды вы увидите до запуска.</translation>
    </message>
    <message>
        <source>&amp;Framework:</source>
        <translation>&amp;Фреймворк:</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>Фреймворк</translation>
    </message>
    <message>
        <source>{name} – install only, no training test yet</source>
        <translation>{name} – только установка, пробного обучения пока нет</translation>
    </message>
    <message>
        <source>What to do now</source>
        <translation>Что сделать сейчас</translation>
    </message>
    <message>
        <source>Open the &amp;driver page of NVIDIA</source>
        <translation>Открыть страницу &amp;драйверов NVIDIA</translation>
    </message>
    <message>
        <source>Check &amp;again</source>
        <translation>Проверить &amp;снова</translation>
    </message>
    <message>
        <source>Looks whether the driver answers now</source>
        <translation>Посмотреть, отвечает ли драйвер теперь</translation>
    </message>
    <message>
        <source>If the computer has to restart, just open this program again: it goes on here.</source>
        <translation>Если понадобится перезагрузка, просто откройте программу снова: она продолжит с этого места.</translation>
    </message>
    <message>
        <source>What does not fit here, and why</source>
        <translation>Что здесь не подходит и почему</translation>
    </message>
    <message>
        <source>Use an environment that is already here</source>
        <translation>Взять окружение, которое уже есть</translation>
    </message>
    <message>
        <source>&amp;Next: review</source>
        <translation>&amp;Дальше: проверить план</translation>
    </message>
    <message>
        <source>Choose a way to go on</source>
        <translation>Чтобы продолжить, выберите вариант</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Рекомендуем</translation>
    </message>
</context>
<context>
    <name>CommandBox</name>
    <message>
        <source>Install tool</source>
        <translation>Чем ставить</translation>
    </message>
    <message>
        <source>Command shell</source>
        <translation>Командная оболочка</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Команды</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Копировать</translation>
    </message>
    <message>
        <source>Copy these commands</source>
        <translation>Скопировать эти команды</translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>Command: {text}</source>
        <translation>Команда: {text}</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Копировать</translation>
    </message>
    <message>
        <source>Copies the command</source>
        <translation>Скопирует команду</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Something went wrong in GPU Assistant</source>
        <translation>В GPU Assistant произошла ошибка</translation>
    </message>
    <message>
        <source>This is our mistake, not yours.</source>
        <translation>Это наша ошибка, не ваша.</translation>
    </message>
    <message>
        <source>Your environments and files are safe. You can go on; if anything looks wrong, start again.</source>
        <translation>С вашими окружениями и файлами всё в порядке. Можно продолжать; если что-то выглядит не так, запустите программу заново.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Отчёт</translation>
    </message>
    <message>
        <source>Nothing was sent. The report lies here: {path}</source>
        <translation>Никуда ничего не отправлено. Отчёт лежит здесь: {path}</translation>
    </message>
    <message>
        <source>&amp;Copy report</source>
        <translation>&amp;Копировать отчёт</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>&amp;Продолжить</translation>
    </message>
</context>
<context>
    <name>DetectPage</name>
    <message>
        <source>Your computer</source>
        <translation>Ваш компьютер</translation>
    </message>
    <message>
        <source>We only look, so that the choice that follows fits exactly this card.</source>
        <translation>Мы только смотрим, чтобы подобрать вариант именно под эту карту.</translation>
    </message>
    <message>
        <source>Looking at the card, the driver and the disks. This takes a second or two.</source>
        <translation>Смотрим на карту, драйвер и диски. Это секунда-другая.</translation>
    </message>
    <message>
        <source>Looking at the computer</source>
        <translation>Осмотр компьютера</translation>
    </message>
    <message>
        <source>Everything about this computer</source>
        <translation>Всё об этом компьютере</translation>
    </message>
    <message>
        <source>Whom we asked and how they answered</source>
        <translation>Кого мы спросили и что нам ответили</translation>
    </message>
    <message>
        <source>&amp;How do we know? Show the source of each value</source>
        <translation>&amp;Откуда мы это знаем? Показать источник каждого значения</translation>
    </message>
    <message>
        <source>Show the source of each value</source>
        <translation>Показать источник каждого значения</translation>
    </message>
    <message>
        <source>&amp;Copy report</source>
        <translation>&amp;Копировать отчёт</translation>
    </message>
    <message>
        <source>Copies everything as text, without your name</source>
        <translation>Скопирует всё текстом, без вашего имени</translation>
    </message>
    <message>
        <source>Look &amp;again</source>
        <translation>Посмотреть &amp;ещё раз</translation>
    </message>
    <message>
        <source>&amp;Next: choose</source>
        <translation>&amp;Дальше: выбор</translation>
    </message>
    <message>
        <source>No graphics card was found, so the processor does the work.</source>
        <translation>Видеокарта не нашлась, поэтому считать будет процессор.</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Процессор</translation>
    </message>
</context>
<context>
    <name>DiagnosisCard</name>
    <message>
        <source>What we saw</source>
        <translation>Что мы увидели</translation>
    </message>
    <message>
        <source>The lines that speak for it</source>
        <translation>Строки, которые на это указывают</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Что это значит</translation>
    </message>
    <message>
        <source>What to do, in this order</source>
        <translation>Что делать, по порядку</translation>
    </message>
    <message>
        <source>How to see that it helped</source>
        <translation>Как понять, что помогло</translation>
    </message>
    <message>
        <source>When to stop and ask</source>
        <translation>Когда остановиться и спросить</translation>
    </message>
    <message>
        <source>We are sure</source>
        <translation>Мы уверены</translation>
    </message>
    <message>
        <source>Very likely</source>
        <translation>Очень вероятно</translation>
    </message>
    <message>
        <source>Possible, but we cannot be sure</source>
        <translation>Возможно, но уверенности нет</translation>
    </message>
    <message>
        <source>No cause is known yet, and we do not guess</source>
        <translation>Причина пока не ясна, а гадать мы не будем</translation>
    </message>
    <message>
        <source>You tried this already, and the same problem came back.</source>
        <translation>Вы это уже пробовали, и проблема вернулась.</translation>
    </message>
    <message>
        <source>It helped. This computer remembers it.</source>
        <translation>Помогло. Запомним это на этом компьютере.</translation>
    </message>
    <message>
        <source>Do it for me…</source>
        <translation>Сделать за меня…</translation>
    </message>
    <message>
        <source>First shows what will change and how it is undone</source>
        <translation>Сначала покажет, что изменится и как это отменить</translation>
    </message>
    <message>
        <source>It helped</source>
        <translation>Помогло</translation>
    </message>
    <message>
        <source>Remembers what solved it</source>
        <translation>Запомнит, что решило проблему</translation>
    </message>
    <message>
        <source>It did not help</source>
        <translation>Не помогло</translation>
    </message>
    <message>
        <source>Puts the next step first from now on</source>
        <translation>Теперь первым будет следующий шаг</translation>
    </message>
    <message>
        <source>Where this comes from</source>
        <translation>Откуда это известно</translation>
    </message>
    <message>
        <source>Checked: {date}</source>
        <translation>Проверено: {date}</translation>
    </message>
</context>
<context>
    <name>DiagnosticsDialog</name>
    <message>
        <source>Diagnostics</source>
        <translation>Диагностика</translation>
    </message>
    <message>
        <source>This is what will be copied. Names, folders and serial numbers are taken out.</source>
        <translation>Вот что будет скопировано. Имена, папки и серийные номера убраны.</translation>
    </message>
</context>
<context>
    <name>EnvironmentRow</name>
    <message>
        <source>Check it</source>
        <translation>Проверить</translation>
    </message>
    <message>
        <source>Trains a small network in {path}</source>
        <translation>Обучит маленькую сеть в {path}</translation>
    </message>
    <message>
        <source>Shows how to put the right build into {path}</source>
        <translation>Покажет, как поставить нужную сборку в {path}</translation>
    </message>
    <message>
        <source>Repair it…</source>
        <translation>Починить…</translation>
    </message>
</context>
<context>
    <name>ErrorPage</name>
    <message>
        <source>What went wrong?</source>
        <translation>Что пошло не так?</translation>
    </message>
    <message>
        <source>Paste everything you have, from the first line to the last. Nothing leaves this computer.</source>
        <translation>Вставьте всё, что есть, от первой строки до последней. С этого компьютера ничего не уходит.</translation>
    </message>
    <message>
        <source>Paste the error here (Ctrl+V), or drop a log file on this box</source>
        <translation>Вставьте сюда ошибку (Ctrl+V) или перетащите файл журнала</translation>
    </message>
    <message>
        <source>The error text</source>
        <translation>Текст ошибки</translation>
    </message>
    <message>
        <source>&amp;Open a file…</source>
        <translation>&amp;Открыть файл…</translation>
    </message>
    <message>
        <source>&amp;New error</source>
        <translation>Новая оши&amp;бка</translation>
    </message>
    <message>
        <source>F&amp;ind the cause</source>
        <translation>&amp;Найти причину</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>Ос&amp;тановить</translation>
    </message>
    <message>
        <source>&amp;Ask people for help…</source>
        <translation>Попросить помощи у &amp;людей…</translation>
    </message>
    <message>
        <source>Makes a report without private parts</source>
        <translation>Соберёт отчёт без личных данных</translation>
    </message>
    <message>
        <source>Answer a few &amp;questions instead</source>
        <translation>Лу&amp;чше ответить на несколько вопросов</translation>
    </message>
    <message>
        <source>Step by step, without an error text</source>
        <translation>По шагам, без текста ошибки</translation>
    </message>
    <message>
        <source>Other possible causes</source>
        <translation>Другие возможные причины</translation>
    </message>
    <message>
        <source>Looking for the cause</source>
        <translation>Ищем причину</translation>
    </message>
    <message>
        <source>The red text of your program, with all the lines above it</source>
        <translation>Красный текст вашей программы со всеми строками над ним</translation>
    </message>
    <message>
        <source>What pip, uv or conda printed</source>
        <translation>То, что написали pip, uv или conda</translation>
    </message>
    <message>
        <source>The table that nvidia-smi shows</source>
        <translation>Таблица, которую показывает nvidia-smi</translation>
    </message>
    <message>
        <source>A log file of up to 50 MB: drop it here</source>
        <translation>Файл журнала до 50 МБ: перетащите его сюда</translation>
    </message>
    <message>
        <source>The text is very long. Its end is shown here; all of it is looked at.</source>
        <translation>Текст очень длинный. Здесь показан его конец, а просмотрен он весь.</translation>
    </message>
    <message>
        <source>I tried it: &amp;paste what it says now</source>
        <translation>Я &amp;попробовал: вставить, что пишет теперь</translation>
    </message>
    <message>
        <source>&amp;Check again</source>
        <translation>&amp;Проверить снова</translation>
    </message>
    <message>
        <source>This comes from the install that failed.</source>
        <translation>Это от установки, которая не удалась.</translation>
    </message>
    <message>
        <source>This comes from the training test that failed.</source>
        <translation>Это от пробного обучения, которое не удалось.</translation>
    </message>
    <message>
        <source>This comes from the script that was watched.</source>
        <translation>Это от скрипта, за которым мы следили.</translation>
    </message>
    <message>
        <source>From the file {name}</source>
        <translation>Из файла {name}</translation>
    </message>
    <message>
        <source>The file is very big: its last 50 MiB were read.</source>
        <translation>Файл очень большой: прочитаны последние 50 МиБ.</translation>
    </message>
    <message>
        <source>Step: {name}</source>
        <translation>Шаг: {name}</translation>
    </message>
    <message>
        <source>Exit code: {code}</source>
        <translation>Код выхода: {code}</translation>
    </message>
    <message>
        <source>Open a log file</source>
        <translation>Открыть файл журнала</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Could not save: {detail}</source>
        <translation>Сохранить не удалось: {detail}</translation>
    </message>
    <message>
        <source>Saved: {path}</source>
        <translation>Сохранено: {path}</translation>
    </message>
</context>
<context>
    <name>FactWriter</name>
    <message>
        <source>Video memory</source>
        <translation>Видеопамять</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>Поколение</translation>
    </message>
    <message>
        <source>{degrees} °C</source>
        <translation>{degrees} °C</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Температура</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Мощность</translation>
    </message>
    <message>
        <source>yes, it draws the screen</source>
        <translation>да, она выводит изображение</translation>
    </message>
    <message>
        <source>no</source>
        <translation>нет</translation>
    </message>
    <message>
        <source>Screen connected</source>
        <translation>Экран подключён</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>Слот</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>Кто пользуется</translation>
    </message>
    <message>
        <source>Divided (MIG)</source>
        <translation>Поделена (MIG)</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>да</translation>
    </message>
    <message>
        <source>on</source>
        <translation>включена</translation>
    </message>
    <message>
        <source>off</source>
        <translation>выключена</translation>
    </message>
    <message>
        <source>Error correction (ECC)</source>
        <translation>Коррекция ошибок (ECC)</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>Драйвер</translation>
    </message>
    <message>
        <source>PCI id</source>
        <translation>PCI-идентификатор</translation>
    </message>
    <message>
        <source>{size} of video memory</source>
        <translation>{size} видеопамяти</translation>
    </message>
    <message>
        <source>built into the processor</source>
        <translation>встроена в процессор</translation>
    </message>
    <message>
        <source>external</source>
        <translation>внешняя</translation>
    </message>
    <message>
        <source>asleep to save power</source>
        <translation>спит, чтобы экономить энергию</translation>
    </message>
    <message>
        <source>NVIDIA driver</source>
        <translation>Драйвер NVIDIA</translation>
    </message>
    <message>
        <source>up to {version}</source>
        <translation>до {version}</translation>
    </message>
    <message>
        <source>CUDA that it supports</source>
        <translation>Поддерживает CUDA</translation>
    </message>
    <message>
        <source>Driver model</source>
        <translation>Модель драйвера</translation>
    </message>
    <message>
        <source>works</source>
        <translation>работает</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>не установлен</translation>
    </message>
    <message>
        <source>installed, but not running</source>
        <translation>установлен, но не запущен</translation>
    </message>
    <message>
        <source>updated, waits for a restart</source>
        <translation>обновлён, нужна перезагрузка</translation>
    </message>
    <message>
        <source>does not answer</source>
        <translation>не отвечает</translation>
    </message>
    <message>
        <source>runs, but finds no card</source>
        <translation>работает, но карты не видит</translation>
    </message>
    <message>
        <source>out of reach from here</source>
        <translation>отсюда недоступен</translation>
    </message>
    <message>
        <source>state unknown</source>
        <translation>состояние неизвестно</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Система</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Процессор</translation>
    </message>
    <message>
        <source>Memory (RAM)</source>
        <translation>Память (ОЗУ)</translation>
    </message>
    <message>
        <source>{free} free of {total}</source>
        <translation>свободно {free} из {total}</translation>
    </message>
    <message>
        <source>Disk {path}</source>
        <translation>Диск {path}</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>Контейнер</translation>
    </message>
    <message>
        <source>Virtual machine</source>
        <translation>Виртуальная машина</translation>
    </message>
    <message>
        <source>Remote desktop</source>
        <translation>Удалённый рабочий стол</translation>
    </message>
    <message>
        <source>Python {version}</source>
        <translation>Python {version}</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n поток</numerusform>
            <numerusform>%n потока</numerusform>
            <numerusform>%n потоков</numerusform>
        </translation>
    </message>
    <message>
        <source>{total}, {used} of it in use</source>
        <translation>{total}, занято {used}</translation>
    </message>
    <message>
        <source>{architecture} (compute capability {number})</source>
        <translation>{architecture} (compute capability {number})</translation>
    </message>
    <message>
        <source>limit {limit} W</source>
        <translation>предел {limit} Вт</translation>
    </message>
    <message>
        <source>{now} W of {limit} W</source>
        <translation>{now} Вт из {limit} Вт</translation>
    </message>
    <message>
        <source>PCIe {generation}, {width} lanes</source>
        <translation>PCIe {generation}, линий: {width}</translation>
    </message>
</context>
<context>
    <name>FileBars</name>
    <message numerus="yes">
        <source>{done} of %n file(s) here</source>
        <translation>
            <numerusform>Готово: {done} из %n файла</numerusform>
            <numerusform>Готово: {done} из %n файлов</numerusform>
            <numerusform>Готово: {done} из %n файлов</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindingCard</name>
    <message>
        <source>Shows the line in the script</source>
        <translation>Показать строку в скрипте</translation>
    </message>
    <message>
        <source>The line</source>
        <translation>Строка</translation>
    </message>
    <message>
        <source>Better like this:</source>
        <translation>Лучше так:</translation>
    </message>
    <message>
        <source>Where this comes from</source>
        <translation>Откуда это известно</translation>
    </message>
</context>
<context>
    <name>FinishPage</name>
    <message>
        <source>Your environment is ready</source>
        <translation>Окружение готово</translation>
    </message>
    <message>
        <source>Pick what you need now. All of it can be done again later.</source>
        <translation>Выберите, что нужно сейчас. Ко всему можно вернуться позже.</translation>
    </message>
    <message>
        <source>Work in a terminal</source>
        <translation>Работать в терминале</translation>
    </message>
    <message>
        <source>Opens a terminal with the environment switched on: python and pip are the right ones in it.</source>
        <translation>Откроет терминал с включённым окружением: python и pip в нём – те самые.</translation>
    </message>
    <message>
        <source>Open &amp;terminal</source>
        <translation>Открыть &amp;терминал</translation>
    </message>
    <message>
        <source>See the files</source>
        <translation>Посмотреть файлы</translation>
    </message>
    <message>
        <source>Opens the environment&apos;s folder. Point your editor at the Python in it.</source>
        <translation>Откроет папку окружения. Укажите своему редактору Python из неё.</translation>
    </message>
    <message>
        <source>Open f&amp;older</source>
        <translation>Открыть &amp;папку</translation>
    </message>
    <message>
        <source>Start a project</source>
        <translation>Начать проект</translation>
    </message>
    <message>
        <source>Creates a small script that trains the right way: on the card, with mixed precision. Change it freely.</source>
        <translation>Создаст небольшой скрипт, который учит правильно: на карте и со смешанной точностью. Меняйте его как хотите.</translation>
    </message>
    <message>
        <source>&amp;Create…</source>
        <translation>&amp;Создать…</translation>
    </message>
    <message>
        <source>Use it in Jupyter</source>
        <translation>Использовать в Jupyter</translation>
    </message>
    <message>
        <source>Adds the environment to the list of kernels in Jupyter and VS Code.</source>
        <translation>Добавит окружение в список ядер Jupyter и VS Code.</translation>
    </message>
    <message>
        <source>Add &amp;kernel</source>
        <translation>Добавить &amp;ядро</translation>
    </message>
    <message>
        <source>Watch the card</source>
        <translation>Следить за картой</translation>
    </message>
    <message>
        <source>Shows load, memory and temperature while anything runs.</source>
        <translation>Покажет нагрузку, память и температуру, пока что-нибудь работает.</translation>
    </message>
    <message>
        <source>Open &amp;Monitor</source>
        <translation>Открыть &amp;монитор</translation>
    </message>
    <message>
        <source>Remove everything again</source>
        <translation>Удалить всё, что поставили</translation>
    </message>
    <message>
        <source>&amp;Remove this environment…</source>
        <translation>&amp;Удалить это окружение…</translation>
    </message>
    <message>
        <source>&amp;Start again</source>
        <translation>&amp;Начать заново</translation>
    </message>
    <message>
        <source>Back to the first page; nothing is removed</source>
        <translation>На первую страницу; ничего не удаляется</translation>
    </message>
    <message>
        <source>Deletes the folder {folder} ({size}). Your own projects elsewhere are not touched.</source>
        <translation>Удалит папку {folder} ({size}). Ваши собственные проекты в других местах останутся.</translation>
    </message>
    <message>
        <source>size unknown</source>
        <translation>размер неизвестен</translation>
    </message>
    <message>
        <source>It trains. Well done!</source>
        <translation>Учится! Всё получилось.</translation>
    </message>
    <message>
        <source>Installed and checked. There is no training test for it yet.</source>
        <translation>Установлено и проверено. Пробного обучения для него пока нет.</translation>
    </message>
    <message>
        <source>Installed, but the training test has not passed yet.</source>
        <translation>Установлено, но пробное обучение пока не прошло.</translation>
    </message>
    <message>
        <source>Go back one page to run it again or to get help.</source>
        <translation>Вернитесь на страницу назад, чтобы запустить его ещё раз или получить помощь.</translation>
    </message>
</context>
<context>
    <name>FitPage</name>
    <message>
        <source>Will my network fit?</source>
        <translation>Поместится ли моя сеть?</translation>
    </message>
    <message>
        <source>Choose a network and what to do with it. The answer changes as you choose.</source>
        <translation>Выберите сеть и что с ней делать. Ответ меняется сразу.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Сеть</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Что делать</translation>
    </message>
    <message>
        <source>Examples in a step (batch)</source>
        <translation>Примеров в шаге (батч)</translation>
    </message>
    <message>
        <source>Length of the texts, in tokens</source>
        <translation>Длина текстов в токенах</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Числа</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Оптимизатор</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>Видеокарта</translation>
    </message>
    <message>
        <source>How many cards</source>
        <translation>Сколько карт</translation>
    </message>
    <message>
        <source>Spread over the cards</source>
        <translation>Как разложить по картам</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>обычная</translation>
    </message>
    <message>
        <source>Calculate activations &amp;anew instead of keeping them</source>
        <translation>&amp;Пересчитывать активации, а не хранить</translation>
    </message>
    <message>
        <source>Keep the optimizer&apos;s memory in &amp;ordinary memory</source>
        <translation>Память оптимизатора — в &amp;оперативной памяти</translation>
    </message>
    <message>
        <source>From a &amp;file…</source>
        <translation>Из &amp;файла…</translation>
    </message>
    <message>
        <source>A config.json or a .safetensors file</source>
        <translation>config.json или файл .safetensors</translation>
    </message>
    <message>
        <source>&amp;Measure it</source>
        <translation>&amp;Измерить</translation>
    </message>
    <message>
        <source>Two trial steps in your environment</source>
        <translation>Два пробных шага в вашей среде</translation>
    </message>
    <message>
        <source>These settings as code</source>
        <translation>Эти настройки в виде кода</translation>
    </message>
    <message>
        <source>Which &amp;card do I need?</source>
        <translation>&amp;Какая нужна карта?</translation>
    </message>
    <message>
        <source>&amp;Do all of that</source>
        <translation>&amp;Сделать всё это</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Измеряем…</translation>
    </message>
    <message>
        <source>Which card do I need?</source>
        <translation>Какая нужна карта?</translation>
    </message>
    <message>
        <source>whole on each (DDP)</source>
        <translation>целиком на каждой (DDP)</translation>
    </message>
    <message>
        <source>The network&apos;s file</source>
        <translation>Файл сети</translation>
    </message>
    <message>
        <source>Networks (*.json *.safetensors)</source>
        <translation>Сети (*.json *.safetensors)</translation>
    </message>
</context>
<context>
    <name>FixDialog</name>
    <message>
        <source>What this fix does</source>
        <translation>Что сделает это исправление</translation>
    </message>
    <message>
        <source>The program cannot do this here</source>
        <translation>Здесь программа этого сделать не может</translation>
    </message>
    <message>
        <source>What changes</source>
        <translation>Что изменится</translation>
    </message>
    <message>
        <source>How it is undone</source>
        <translation>Как это отменить</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Закрыть</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>&amp;Не сейчас</translation>
    </message>
    <message>
        <source>&amp;Review the plan</source>
        <translation>&amp;Посмотреть план</translation>
    </message>
    <message>
        <source>Opens the page where you start it</source>
        <translation>Откроет страницу, с которой это запускается</translation>
    </message>
    <message>
        <source>Open the &amp;Monitor</source>
        <translation>Открыть &amp;монитор</translation>
    </message>
    <message>
        <source>There you can end a program</source>
        <translation>Там можно завершить программу</translation>
    </message>
    <message>
        <source>&amp;Use it for the next training test</source>
        <translation>&amp;Взять для следующего пробного обучения</translation>
    </message>
    <message>
        <source>&amp;Do it</source>
        <translation>&amp;Сделать</translation>
    </message>
    <message>
        <source>size not told</source>
        <translation>размер неизвестен</translation>
    </message>
    <message>
        <source>The same by hand</source>
        <translation>То же самое вручную</translation>
    </message>
</context>
<context>
    <name>GlanceWriter</name>
    <message>
        <source>busiest core {load}</source>
        <translation>самое занятое ядро {load}</translation>
    </message>
    <message>
        <source>disk {load}</source>
        <translation>диск {load}</translation>
    </message>
    <message>
        <source>Processor and memory</source>
        <translation>Процессор и память</translation>
    </message>
    <message>
        <source>{number} %</source>
        <translation>{number} %</translation>
    </message>
    <message>
        <source>{used} of {total}</source>
        <translation>{used} из {total}</translation>
    </message>
    <message>
        <source>{degrees} °C</source>
        <translation>{degrees} °C</translation>
    </message>
    <message>
        <source>{now} of {limit} W</source>
        <translation>{now} из {limit} Вт</translation>
    </message>
    <message>
        <source>{now} W</source>
        <translation>{now} Вт</translation>
    </message>
    <message>
        <source>fan {load}</source>
        <translation>вентилятор {load}</translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message>
        <source>Words explained</source>
        <translation>Что значат слова</translation>
    </message>
</context>
<context>
    <name>HelpReportDialog</name>
    <message>
        <source>Ask for help</source>
        <translation>Попросить помощи</translation>
    </message>
    <message>
        <source>Exactly this will be copied or saved. Names, folders and passwords are taken out; look through it all the same.</source>
        <translation>Скопировано или сохранено будет ровно это. Имена, папки и пароли убраны, но всё же просмотрите.</translation>
    </message>
    <message>
        <source>For people (Markdown)</source>
        <translation>Для людей (Markdown)</translation>
    </message>
    <message>
        <source>For programs (JSON)</source>
        <translation>Для программ (JSON)</translation>
    </message>
    <message>
        <source>The computer&apos;s answers are being collected. This takes a few seconds…</source>
        <translation>Собираем ответы компьютера. Это займёт несколько секунд…</translation>
    </message>
    <message>
        <source>The computer&apos;s answers</source>
        <translation>Ответы компьютера</translation>
    </message>
    <message>
        <source>&amp;Copy this page</source>
        <translation>&amp;Копировать страницу</translation>
    </message>
    <message>
        <source>&amp;Save everything…</source>
        <translation>&amp;Сохранить всё…</translation>
    </message>
    <message>
        <source>One zip file for whoever helps you</source>
        <translation>Один zip-файл для того, кто вам помогает</translation>
    </message>
    <message>
        <source>What has cha&amp;nged…</source>
        <translation>Что &amp;изменилось…</translation>
    </message>
    <message>
        <source>Compares with a report that you saved earlier</source>
        <translation>Сравнить с отчётом, который вы сохранили раньше</translation>
    </message>
    <message>
        <source>The report that you saved earlier</source>
        <translation>Отчёт, сохранённый раньше</translation>
    </message>
    <message>
        <source>Reports (*.zip *.json)</source>
        <translation>Отчёты (*.zip *.json)</translation>
    </message>
    <message>
        <source>{file} is no report of this program: {detail}</source>
        <translation>{file} — не отчёт этой программы: {detail}</translation>
    </message>
    <message>
        <source>Nothing that we know of has changed.</source>
        <translation>Из того, что нам известно, ничего не изменилось.</translation>
    </message>
    <message>
        <source>What has changed</source>
        <translation>Что изменилось</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>нет</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>&amp;Закрыть</translation>
    </message>
    <message>
        <source>The answers could not be collected; the report goes without them.</source>
        <translation>Собрать ответы не получилось, отчёт будет без них.</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>Сохранить отчёт</translation>
    </message>
</context>
<context>
    <name>HintsPanel</name>
    <message>
        <source>What this means</source>
        <translation>Что это значит</translation>
    </message>
    <message>
        <source>Nothing stands out. When something slows the card down, it is said here, with what to try first.</source>
        <translation>Ничего особенного. Если карту что-то затормозит, здесь будет сказано что и с чего начать.</translation>
    </message>
    <message>
        <source>Show on the chart</source>
        <translation>Показать на графике</translation>
    </message>
</context>
<context>
    <name>InstallPage</name>
    <message>
        <source>Install</source>
        <translation>Установка</translation>
    </message>
    <message>
        <source>Downloading takes longest. You can go on working; stopping leaves your computer as it was.</source>
        <translation>Дольше всего идёт загрузка. Можно спокойно работать дальше; если остановить, компьютер останется таким, каким был.</translation>
    </message>
    <message>
        <source>What the installer prints</source>
        <translation>Что пишет установщик</translation>
    </message>
    <message>
        <source>Log of the installer</source>
        <translation>Журнал установщика</translation>
    </message>
    <message>
        <source>Progress of the install</source>
        <translation>Ход установки</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>&amp;Ещё раз</translation>
    </message>
    <message>
        <source>&amp;Change the choice</source>
        <translation>&amp;Изменить выбор</translation>
    </message>
    <message>
        <source>&amp;Help me</source>
        <translation>&amp;Помогите</translation>
    </message>
    <message>
        <source>Opens Troubleshooting with everything we know</source>
        <translation>Откроет «Проблемы» со всем, что мы знаем</translation>
    </message>
    <message>
        <source>Open &amp;logs</source>
        <translation>&amp;Журналы</translation>
    </message>
    <message>
        <source>Opens the folder with the whole log</source>
        <translation>Откроет папку с полным журналом</translation>
    </message>
    <message>
        <source>&amp;Next: test it</source>
        <translation>&amp;Дальше: проверить</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Останавливаем…</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Остановить</translation>
    </message>
    <message>
        <source>{size} per second</source>
        <translation>{size} в секунду</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>осталось около {time}</translation>
    </message>
    <message>
        <source>Step {number} of {total}</source>
        <translation>Шаг {number} из {total}</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>Готовимся</translation>
    </message>
    <message>
        <source>The unfinished folder was put aside: {folder}</source>
        <translation>Недоделанная папка отложена: {folder}</translation>
    </message>
    <message>
        <source>Installed and checked: it imports, and it is the right build.</source>
        <translation>Установлено и проверено: импортируется, и сборка та, что нужна.</translation>
    </message>
    <message>
        <source>Stopped. Your computer is as it was before.</source>
        <translation>Остановлено. Компьютер такой же, каким был.</translation>
    </message>
    <message>
        <source>This install was not finished. You can start it again.</source>
        <translation>Установка не была доведена до конца. Её можно начать заново.</translation>
    </message>
</context>
<context>
    <name>LicencesDialog</name>
    <message>
        <source>Licences</source>
        <translation>Лицензии</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Setup</source>
        <translation>Установка</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>Монитор</translation>
    </message>
    <message>
        <source>Troubleshooting</source>
        <translation>Проблемы</translation>
    </message>
    <message>
        <source>My training</source>
        <translation>Моё обучение</translation>
    </message>
    <message>
        <source>Parts of the program</source>
        <translation>Разделы программы</translation>
    </message>
    <message>
        <source>The install is still running. Stop it and close? Your computer stays as it was.</source>
        <translation>Установка ещё идёт. Остановить её и закрыть программу? Компьютер останется таким, каким был.</translation>
    </message>
    <message>
        <source>The training test is still running. Stop it and close?</source>
        <translation>Пробное обучение ещё идёт. Остановить его и закрыть программу?</translation>
    </message>
    <message>
        <source>Something is still running. Stop it and close?</source>
        <translation>Программа ещё занята. Остановить и закрыть?</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Остановить и закрыть</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Продолжить</translation>
    </message>
</context>
<context>
    <name>Menu</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Файл</translation>
    </message>
    <message>
        <source>&amp;Steps</source>
        <translation>&amp;Шаги</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Вид</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Справка</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Язык</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Цвета</translation>
    </message>
    <message>
        <source>&amp;Copy the report</source>
        <translation>&amp;Копировать отчёт</translation>
    </message>
    <message>
        <source>Save the &amp;training run…</source>
        <translation>Сохранить &amp;обучение…</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>&amp;Настройки…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>В&amp;ыход</translation>
    </message>
    <message>
        <source>&amp;Look at the computer again</source>
        <translation>&amp;Осмотреть компьютер ещё раз</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Назад</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>&amp;Дальше</translation>
    </message>
    <message>
        <source>&amp;Stop what is running</source>
        <translation>Ос&amp;тановить</translation>
    </message>
    <message>
        <source>&amp;Words explained</source>
        <translation>Что значат &amp;слова</translation>
    </message>
    <message>
        <source>Open the &amp;logs</source>
        <translation>Открыть &amp;журналы</translation>
    </message>
    <message>
        <source>Copy &amp;diagnostics…</source>
        <translation>Копировать &amp;диагностику…</translation>
    </message>
    <message>
        <source>&amp;About GPU Assistant</source>
        <translation>&amp;О программе</translation>
    </message>
    <message>
        <source>&amp;Setup</source>
        <translation>&amp;Установка</translation>
    </message>
    <message>
        <source>&amp;Monitor</source>
        <translation>&amp;Монитор</translation>
    </message>
    <message>
        <source>&amp;Troubleshooting</source>
        <translation>&amp;Проблемы</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>Как в системе</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Светлые</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Тёмные</translation>
    </message>
    <message>
        <source>The report is copied. Your name and your folders are not in it.</source>
        <translation>Отчёт скопирован. Вашего имени и ваших папок в нём нет.</translation>
    </message>
</context>
<context>
    <name>MonitorTab</name>
    <message>
        <source>Choose exactly two recordings: hold Ctrl and click the second one.</source>
        <translation>Выберите ровно две записи: удерживая Ctrl, щёлкните вторую.</translation>
    </message>
    <message>
        <source>End {name} (process {pid})?</source>
        <translation>Завершить {name} (процесс {pid})?</translation>
    </message>
    <message>
        <source>What it has not saved is lost. A training begins again from its last checkpoint.</source>
        <translation>Всё, что она не сохранила, пропадёт. Обучение начнётся с последней контрольной точки.</translation>
    </message>
    <message>
        <source>&amp;End it</source>
        <translation>&amp;Завершить</translation>
    </message>
    <message>
        <source>&amp;Let it run</source>
        <translation>&amp;Пусть работает</translation>
    </message>
    <message>
        <source>{name} had already ended.</source>
        <translation>Программа {name} уже завершилась.</translation>
    </message>
    <message>
        <source>The system does not let us end {name}. Try the task manager.</source>
        <translation>Система не даёт завершить {name}. Попробуйте через Диспетчер задач.</translation>
    </message>
    <message>
        <source>{name} was ended.</source>
        <translation>Программа {name} завершена.</translation>
    </message>
    <message>
        <source>Recording. Click again to stop; closing the program stops it too.</source>
        <translation>Идёт запись. Нажмите ещё раз, чтобы остановить; при закрытии программы она тоже остановится.</translation>
    </message>
    <message>
        <source>Saved: {file}</source>
        <translation>Сохранено: {file}</translation>
    </message>
    <message>
        <source>Recording {file}</source>
        <translation>Запись {file}</translation>
    </message>
    <message>
        <source>Its end is damaged; everything before it is shown.</source>
        <translation>Конец записи повреждён; показано всё, что до него.</translation>
    </message>
    <message>
        <source>{first} and {second}, each from its beginning</source>
        <translation>{first} и {second}, каждая со своего начала</translation>
    </message>
    <message>
        <source>What differs most: {names}</source>
        <translation>Сильнее всего отличаются: {names}</translation>
    </message>
    <message>
        <source>Stop the recording first; then it can become a table.</source>
        <translation>Сначала остановите запись, потом её можно сохранить таблицей.</translation>
    </message>
    <message>
        <source>Save the charts as a picture</source>
        <translation>Сохранить графики картинкой</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Картинки (*.png)</translation>
    </message>
    <message>
        <source>The picture cannot be saved there: {file}</source>
        <translation>Сюда картинку сохранить не удаётся: {file}</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Назад</translation>
    </message>
</context>
<context>
    <name>PageButton</name>
    <message>
        <source>Open: {page}</source>
        <translation>Открыть: {page}</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Monitor</source>
        <translation>Монитор</translation>
    </message>
    <message>
        <source>Asking the card for its first numbers…</source>
        <translation>Спрашиваем у карты первые цифры…</translation>
    </message>
    <message>
        <source>The computer is shown alone: processor, memory, disks, network.</source>
        <translation>Показываем только компьютер: процессор, память, диски, сеть.</translation>
    </message>
    <message>
        <source>We keep asking. As soon as the driver answers, the curves go on by themselves.</source>
        <translation>Мы продолжаем спрашивать. Как только драйвер ответит, кривые сами пойдут дальше.</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>Компьютер</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Обучение</translation>
    </message>
</context>
<context>
    <name>PlacesPage</name>
    <message>
        <source>Environments</source>
        <translation>Окружения</translation>
    </message>
    <message>
        <source>Downloads kept for the next install</source>
        <translation>Загрузки, сохранённые для следующей установки</translation>
    </message>
    <message>
        <source>Pythons</source>
        <translation>Версии Python</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>Your place in the wizard, saved runs</source>
        <translation>Ваше место в мастере и сохранённые обучения</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Журналы</translation>
    </message>
    <message>
        <source>measuring…</source>
        <translation>считаем…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Открыть</translation>
    </message>
</context>
<context>
    <name>ProcessTable</name>
    <message>
        <source>Programs on the card</source>
        <translation>Программы на карте</translation>
    </message>
    <message>
        <source>No program computes on the card now.</source>
        <translation>Сейчас на карте никто не считает.</translation>
    </message>
    <message>
        <source>&amp;End program…</source>
        <translation>&amp;Завершить программу…</translation>
    </message>
    <message>
        <source>Ends the chosen program after asking you once more</source>
        <translation>Завершит выбранную программу, но сначала переспросит</translation>
    </message>
</context>
<context>
    <name>Recordings</name>
    <message>
        <source>Open a recording</source>
        <translation>Открыть запись</translation>
    </message>
    <message>
        <source>Choose two recordings</source>
        <translation>Выберите две записи</translation>
    </message>
    <message>
        <source>Which recording becomes a table?</source>
        <translation>Какую запись сохранить таблицей?</translation>
    </message>
    <message>
        <source>Recordings (*{suffix})</source>
        <translation>Записи (*{suffix})</translation>
    </message>
    <message>
        <source>Export as a table</source>
        <translation>Сохранить как таблицу</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Таблицы (*.csv)</translation>
    </message>
</context>
<context>
    <name>ReviewPage</name>
    <message>
        <source>Review before anything happens</source>
        <translation>Проверьте, пока ничего не началось</translation>
    </message>
    <message>
        <source>Nothing has been changed so far. This is exactly what the button below will do.</source>
        <translation>Пока ничего не изменено. Вот что в точности сделает кнопка внизу.</translation>
    </message>
    <message>
        <source>This plan is for the recorded computer, so it cannot be installed on this one.</source>
        <translation>Этот план составлен для записанного компьютера, поэтому на этот его не установить.</translation>
    </message>
    <message>
        <source>Good to know</source>
        <translation>Полезно знать</translation>
    </message>
    <message>
        <source>Step by step</source>
        <translation>По шагам</translation>
    </message>
    <message>
        <source>The exact commands, to read, copy or type yourself</source>
        <translation>Сами команды: прочитать, скопировать или набрать вручную</translation>
    </message>
    <message>
        <source>The program runs the uv commands. With pip or conda you get the same packages.</source>
        <translation>Программа запускает команды uv. С pip или conda получатся те же пакеты.</translation>
    </message>
    <message>
        <source>Which servers are asked</source>
        <translation>К каким серверам обращаемся</translation>
    </message>
    <message>
        <source>A new folder of its own. To undo it, delete it: the last page has a button for that.</source>
        <translation>Новая отдельная папка. Чтобы всё отменить, её достаточно удалить: на последней странице есть кнопка.</translation>
    </message>
    <message>
        <source>&amp;Install</source>
        <translation>&amp;Установить</translation>
    </message>
    <message>
        <source>&amp;Install ({size} to download)</source>
        <translation>&amp;Установить (скачать {size})</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>неизвестно</translation>
    </message>
    <message>
        <source>to download</source>
        <translation>скачать</translation>
    </message>
    <message>
        <source>on the disk afterwards</source>
        <translation>займёт на диске</translation>
    </message>
</context>
<context>
    <name>SavedRunsDialog</name>
    <message>
        <source>Earlier runs</source>
        <translation>Прошлые запуски</translation>
    </message>
    <message>
        <source>Open one, or hold Ctrl and choose two to compare them.</source>
        <translation>Откройте один или, удерживая Ctrl, выберите два, чтобы сравнить.</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Когда</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Программа</translation>
    </message>
    <message>
        <source>How long</source>
        <translation>Сколько</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Шагов</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Открыть</translation>
    </message>
    <message>
        <source>Co&amp;mpare</source>
        <translation>С&amp;равнить</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Закрыть</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Общие</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Установка</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>Монитор</translation>
    </message>
    <message>
        <source>Where things are</source>
        <translation>Где что лежит</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Обзор…</translation>
    </message>
    <message>
        <source>Only if you use a mirror; otherwise leave empty.</source>
        <translation>Только если вы пользуетесь зеркалом; иначе оставьте пустым.</translation>
    </message>
    <message>
        <source>&amp;Language:</source>
        <translation>&amp;Язык:</translation>
    </message>
    <message>
        <source>&amp;Colours:</source>
        <translation>&amp;Цвета:</translation>
    </message>
    <message>
        <source>&amp;Folder for everything big:</source>
        <translation>&amp;Папка для всего большого:</translation>
    </message>
    <message>
        <source>Environments, their Pythons and downloads. Empty: a short path on a drive with room.</source>
        <translation>Окружения, их Python и загрузки. Пусто – короткий путь на диске, где есть место.</translation>
    </message>
    <message>
        <source>Package &amp;index (PyPI):</source>
        <translation>&amp;Индекс пакетов (PyPI):</translation>
    </message>
    <message>
        <source>PyTorch &amp;packages:</source>
        <translation>Пакеты Py&amp;Torch:</translation>
    </message>
    <message>
        <source>A mirror of download.pytorch.org/whl, without the part after it.</source>
        <translation>Зеркало download.pytorch.org/whl – без того, что после него.</translation>
    </message>
    <message>
        <source>P&amp;ython downloads:</source>
        <translation>Загр&amp;узки Python:</translation>
    </message>
    <message>
        <source>Folder with &amp;wheels:</source>
        <translation>Папка с &amp;wheel-файлами:</translation>
    </message>
    <message>
        <source>Packages are looked for here first. Useful without a network, or for several computers.</source>
        <translation>Сначала пакеты ищутся здесь. Удобно без интернета или для нескольких компьютеров.</translation>
    </message>
    <message>
        <source>Work &amp;offline</source>
        <translation>Работать &amp;без интернета</translation>
    </message>
    <message>
        <source>Nothing is asked from the network: only the folder with wheels and earlier downloads.</source>
        <translation>Сеть не трогаем: только папка с wheel-файлами и прежние загрузки.</translation>
    </message>
    <message>
        <source>P&amp;roxy:</source>
        <translation>П&amp;рокси:</translation>
    </message>
    <message>
        <source>For example http://proxy.example:3128. Empty: the system&apos;s.</source>
        <translation>Например, http://proxy.example:3128. Пусто – как в системе.</translation>
    </message>
    <message>
        <source>Trust the system&apos;s &amp;certificates</source>
        <translation>Доверять &amp;сертификатам системы</translation>
    </message>
    <message>
        <source>Needed behind office proxies and antivirus programs that look into connections.</source>
        <translation>Нужно за рабочим прокси и с антивирусом, который проверяет соединения.</translation>
    </message>
    <message>
        <source>&amp;Update every:</source>
        <translation>&amp;Обновлять каждые:</translation>
    </message>
    <message>
        <source>Warn about &amp;heat:</source>
        <translation>Предупреждать о &amp;нагреве за:</translation>
    </message>
    <message>
        <source>So many degrees below the point where the card slows itself down.</source>
        <translation>За столько градусов до температуры, при которой карта сама себя притормаживает.</translation>
    </message>
    <message>
        <source>Warn about full &amp;memory from:</source>
        <translation>Предупреждать о заполненной памя&amp;ти от:</translation>
    </message>
    <message>
        <source>Say that training &amp;ended after:</source>
        <translation>Сообщать, что обучение &amp;закончилось, через:</translation>
    </message>
    <message>
        <source>So long without load after a long load.</source>
        <translation>Столько времени без нагрузки после долгой нагрузки.</translation>
    </message>
    <message>
        <source>Keep an icon near the &amp;clock</source>
        <translation>Значок возле &amp;часов</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>Как в системе</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Светлые</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Тёмные</translation>
    </message>
    <message>
        <source> s</source>
        <translation> с</translation>
    </message>
    <message>
        <source> °C</source>
        <translation> °C</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source> min</source>
        <translation> мин</translation>
    </message>
</context>
<context>
    <name>SmokeTestPage</name>
    <message>
        <source>Training test</source>
        <translation>Пробное обучение</translation>
    </message>
    <message>
        <source>A small network learns while you watch. If it does, bigger ones will too.</source>
        <translation>Маленькая сеть учится у вас на глазах. Если получится у неё, получится и у больших.</translation>
    </message>
    <message>
        <source>There is no training test for this framework yet.</source>
        <translation>Пробного обучения для этого фреймворка пока нет.</translation>
    </message>
    <message>
        <source>The install itself was checked: it imports, and it is the right build. You can go on.</source>
        <translation>Сама установка проверена: фреймворк импортируется, и сборка та, что нужна. Можно идти дальше.</translation>
    </message>
    <message>
        <source>&amp;What to train:</source>
        <translation>&amp;Чему учить:</translation>
    </message>
    <message>
        <source>What to train</source>
        <translation>Чему учить</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Начать</translation>
    </message>
    <message>
        <source>&amp;Earlier runs…</source>
        <translation>&amp;Прошлые запуски…</translation>
    </message>
    <message>
        <source>&amp;Change the choice</source>
        <translation>&amp;Изменить выбор</translation>
    </message>
    <message>
        <source>&amp;Help me</source>
        <translation>&amp;Помогите</translation>
    </message>
    <message>
        <source>Opens Troubleshooting with everything we know</source>
        <translation>Откроет «Проблемы» со всем, что мы знаем</translation>
    </message>
    <message>
        <source>Sa&amp;ve…</source>
        <translation>&amp;Сохранить…</translation>
    </message>
    <message>
        <source>Saves this run as a picture or as data</source>
        <translation>Сохранит этот запуск картинкой или данными</translation>
    </message>
    <message>
        <source>&amp;Next: finish</source>
        <translation>&amp;Дальше: готово</translation>
    </message>
    <message>
        <source>What it has learnt</source>
        <translation>Чему сеть научилась</translation>
    </message>
    <message>
        <source>How wrong it still is (loss)</source>
        <translation>Насколько ещё ошибается (loss)</translation>
    </message>
    <message>
        <source>Proven so far</source>
        <translation>Что уже доказано</translation>
    </message>
    <message>
        <source>What the training prints</source>
        <translation>Что пишет обучение</translation>
    </message>
    <message>
        <source>Log of the training</source>
        <translation>Журнал обучения</translation>
    </message>
    <message>
        <source>Progress of the training</source>
        <translation>Ход обучения</translation>
    </message>
    <message>
        <source>{degrees} °C</source>
        <translation>{degrees} °C</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Останавливаем…</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>&amp;Остановить</translation>
    </message>
    <message>
        <source>&amp;Start again</source>
        <translation>&amp;Начать ещё раз</translation>
    </message>
    <message>
        <source>Starting the environment&apos;s Python…</source>
        <translation>Запускаем Python из окружения…</translation>
    </message>
    <message>
        <source>Picture of what the network has learnt, step {step}</source>
        <translation>Картинка того, чему научилась сеть, шаг {step}</translation>
    </message>
    <message>
        <source>runs on</source>
        <translation>работает на</translation>
    </message>
    <message>
        <source>steps per second</source>
        <translation>шагов в секунду</translation>
    </message>
    <message>
        <source>video memory</source>
        <translation>видеопамять</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>температура</translation>
    </message>
    <message>
        <source>Loss curve, empty so far</source>
        <translation>Кривая ошибки, пока пустая</translation>
    </message>
    <message>
        <source>Loss curve: from {first} to {last} in {steps} steps</source>
        <translation>Кривая ошибки: от {first} до {last} за {steps} шагов</translation>
    </message>
</context>
<context>
    <name>SmokeViewer</name>
    <message>
        <source>processor</source>
        <translation>процессор</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>The computer has not been looked at yet</source>
        <translation>Компьютер ещё не осмотрен</translation>
    </message>
    <message>
        <source>No graphics card found</source>
        <translation>Видеокарта не найдена</translation>
    </message>
    <message>
        <source>driver {version}</source>
        <translation>драйвер {version}</translation>
    </message>
    <message>
        <source>no driver</source>
        <translation>драйвера нет</translation>
    </message>
    <message>
        <source>memory {used} of {total}</source>
        <translation>память {used} из {total}</translation>
    </message>
    <message>
        <source>memory {total}</source>
        <translation>память {total}</translation>
    </message>
    <message>
        <source>{degrees} °C</source>
        <translation>{degrees} °C</translation>
    </message>
</context>
<context>
    <name>Strip</name>
    <message>
        <source>GPU Assistant: cards</source>
        <translation>GPU Assistant: карты</translation>
    </message>
    <message>
        <source>Drag to move, double-click to open the window, Esc to close</source>
        <translation>Перетащите, чтобы подвинуть; двойной щелчок откроет окно, Esc закроет</translation>
    </message>
</context>
<context>
    <name>SummaryWriter</name>
    <message>
        <source>no values here</source>
        <translation>здесь нет значений</translation>
    </message>
    <message>
        <source>min {least} · mean {mean} · max {most}</source>
        <translation>мин {least} · сред {mean} · макс {most}</translation>
    </message>
    <message>
        <source>{name}: no values</source>
        <translation>{name}: нет значений</translation>
    </message>
    <message>
        <source>rising</source>
        <translation>растёт</translation>
    </message>
    <message>
        <source>falling</source>
        <translation>падает</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>держится</translation>
    </message>
    <message>
        <source>{name}: {value}, {trend}; from {least} to {most}</source>
        <translation>{name}: {value}, {trend}; от {least} до {most}</translation>
    </message>
</context>
<context>
    <name>TargetRow</name>
    <message>
        <source>&amp;Folder…</source>
        <translation>&amp;Папка…</translation>
    </message>
    <message>
        <source>Choose another folder for environments and downloads</source>
        <translation>Выбрать другую папку для окружений и загрузок</translation>
    </message>
    <message>
        <source>Everything big goes in here: the environment, its Python, the downloads.</source>
        <translation>Сюда ляжет всё большое: окружение, его Python, загрузки.</translation>
    </message>
    <message>
        <source>Everything big goes in here. {size} free on this drive.</source>
        <translation>Сюда ляжет всё большое. На этом диске свободно {size}.</translation>
    </message>
</context>
<context>
    <name>TextDialog</name>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Закрыть</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>&amp;Копировать</translation>
    </message>
</context>
<context>
    <name>TrainingTab</name>
    <message>
        <source>Why is it &amp;slow?</source>
        <translation>Почему &amp;медленно?</translation>
    </message>
    <message>
        <source>Is my script r&amp;ight?</source>
        <translation>&amp;Правильный ли скрипт?</translation>
    </message>
    <message>
        <source>Will it f&amp;it?</source>
        <translation>По&amp;местится ли?</translation>
    </message>
    <message>
        <source>Questions about your training</source>
        <translation>Вопросы о вашем обучении</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open GPU Assistant</source>
        <translation>Открыть GPU Assistant</translation>
    </message>
    <message>
        <source>Small window above the others</source>
        <translation>Маленькое окно поверх других</translation>
    </message>
</context>
<context>
    <name>TroubleshootTab</name>
    <message>
        <source>I have an &amp;error</source>
        <translation>У меня ошиб&amp;ка</translation>
    </message>
    <message>
        <source>Look it &amp;up</source>
        <translation>Сп&amp;равочник</translation>
    </message>
    <message>
        <source>Step b&amp;y step</source>
        <translation>По ша&amp;гам</translation>
    </message>
    <message>
        <source>Ways to a fix</source>
        <translation>Как искать решение</translation>
    </message>
    <message>
        <source>The file cannot be read: {detail}</source>
        <translation>Файл не читается: {detail}</translation>
    </message>
    <message>
        <source>First let the program look at the computer: Setup, first step.</source>
        <translation>Сначала дайте программе осмотреть компьютер: «Установка», первый шаг.</translation>
    </message>
</context>
<context>
    <name>WalkPage</name>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Назад</translation>
    </message>
    <message>
        <source>&amp;All walks</source>
        <translation>Вс&amp;е проверки</translation>
    </message>
    <message>
        <source>Step by step</source>
        <translation>По шагам</translation>
    </message>
    <message>
        <source>No error text at hand? Answer a few questions. Each one says why it is asked.</source>
        <translation>Нет текста ошибки? Ответьте на несколько вопросов. У каждого сказано, зачем он.</translation>
    </message>
    <message>
        <source>Question {number}</source>
        <translation>Вопрос {number}</translation>
    </message>
    <message>
        <source>The highlighted answer is what your computer itself says.</source>
        <translation>Выделен ответ, который даёт сам ваш компьютер.</translation>
    </message>
    <message>
        <source>To find out, type this into a terminal:</source>
        <translation>Чтобы узнать, наберите в терминале:</translation>
    </message>
    <message>
        <source>&amp;Do it for me…</source>
        <translation>С&amp;делать за меня…</translation>
    </message>
    <message>
        <source>First shows exactly what will change</source>
        <translation>Сначала покажет, что именно изменится</translation>
    </message>
    <message>
        <source>&amp;Make the help report…</source>
        <translation>Собрать &amp;отчёт для помощи…</translation>
    </message>
</context>
<context>
    <name>WatchPage</name>
    <message>
        <source>Why is my training slow?</source>
        <translation>Почему обучение идёт медленно?</translation>
    </message>
    <message>
        <source>Choose your script and start it here. It runs as always; we watch where its time goes, and say what holds it back.</source>
        <translation>Выберите скрипт и запустите его здесь. Он работает как обычно, а мы смотрим, на что уходит время, и говорим, что его тормозит.</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Скрипт</translation>
    </message>
    <message>
        <source>Runs with</source>
        <translation>Чем запускать</translation>
    </message>
    <message>
        <source>Its arguments</source>
        <translation>Параметры запуска</translation>
    </message>
    <message>
        <source>train.py – or drop the file here</source>
        <translation>train.py — или перетащите файл сюда</translation>
    </message>
    <message>
        <source>Look at ten steps with PyTorch&apos;s &amp;profiler</source>
        <translation>Рассмотреть десять шагов про&amp;филировщиком PyTorch</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>&amp;Выбрать…</translation>
    </message>
    <message>
        <source>&amp;Start and watch</source>
        <translation>&amp;Запустить и наблюдать</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>&amp;Остановить</translation>
    </message>
    <message>
        <source>It &amp;runs already…</source>
        <translation>Уже &amp;работает…</translation>
    </message>
    <message>
        <source>Looks at a program from outside</source>
        <translation>Посмотреть на программу со стороны</translation>
    </message>
    <message>
        <source>&amp;Earlier runs…</source>
        <translation>&amp;Прошлые запуски…</translation>
    </message>
    <message>
        <source>Save the pa&amp;ge…</source>
        <translation>&amp;Сохранить страницу…</translation>
    </message>
    <message>
        <source>One file that any browser shows</source>
        <translation>Один файл, который откроет любой браузер</translation>
    </message>
    <message>
        <source>What does this error &amp;mean?</source>
        <translation>&amp;Что значит эта ошибка?</translation>
    </message>
    <message>
        <source>What the program prints</source>
        <translation>Что печатает программа</translation>
    </message>
    <message>
        <source>What the program prints appears here.</source>
        <translation>Здесь появится то, что печатает программа.</translation>
    </message>
    <message>
        <source>There is no such file: {file}</source>
        <translation>Такого файла нет: {file}</translation>
    </message>
    <message>
        <source>The arguments cannot be read: {detail}</source>
        <translation>Параметры не разобрать: {detail}</translation>
    </message>
    <message>
        <source>It runs already</source>
        <translation>Уже работает</translation>
    </message>
    <message>
        <source>Number of the process (PID), as in the Monitor&apos;s list of programs:</source>
        <translation>Номер процесса (PID), как в списке программ на вкладке «Монитор»:</translation>
    </message>
    <message>
        <source>before</source>
        <translation>раньше</translation>
    </message>
    <message>
        <source>after</source>
        <translation>теперь</translation>
    </message>
    <message>
        <source>This run cannot be read: {detail}</source>
        <translation>Этот запуск не прочитать: {detail}</translation>
    </message>
    <message>
        <source>Save the page</source>
        <translation>Сохранить страницу</translation>
    </message>
    <message>
        <source>Page (*.html)</source>
        <translation>Страница (*.html)</translation>
    </message>
    <message>
        <source>For programs (*.json)</source>
        <translation>Для программ (*.json)</translation>
    </message>
    <message>
        <source>Saved: {file}</source>
        <translation>Сохранено: {file}</translation>
    </message>
    <message>
        <source>&amp;Look away</source>
        <translation>&amp;Больше не смотреть</translation>
    </message>
    <message>
        <source>Which script?</source>
        <translation>Какой скрипт?</translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation>Python (*.py)</translation>
    </message>
</context>
<context>
    <name>WatchView</name>
    <message>
        <source>Where the time goes</source>
        <translation>На что уходит время</translation>
    </message>
    <message>
        <source>The lines that take most of it</source>
        <translation>Строки, на которые уходит больше всего</translation>
    </message>
    <message>
        <source>Video memory</source>
        <translation>Видеопамять</translation>
    </message>
    <message>
        <source>Ten steps under the profiler</source>
        <translation>Десять шагов под профилировщиком</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>Компьютер</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Обучение</translation>
    </message>
    <message>
        <source>It has run for {time}.</source>
        <translation>Работает {time}.</translation>
    </message>
    <message>
        <source>{time}, {steps} steps, {speed} a second</source>
        <translation>{time}, шагов: {steps}, в секунду: {speed}</translation>
    </message>
    <message>
        <source>The training runs</source>
        <translation>Обучение идёт</translation>
    </message>
    <message>
        <source>The program runs; no training step yet</source>
        <translation>Программа работает, шагов обучения пока нет</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Let&apos;s get your graphics card to train a network</source>
        <translation>Научим вашу видеокарту обучать нейросеть</translation>
    </message>
    <message>
        <source>Four steps, usually 10 to 30 minutes, most of it downloading.</source>
        <translation>Четыре шага, обычно 10–30 минут, и почти всё это время – загрузка.</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Посмотреть</translation>
    </message>
    <message>
        <source>We look at your card, its driver and your computer. Nothing is changed.</source>
        <translation>Посмотрим на карту, драйвер и компьютер. Ничего не меняем.</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Выбрать</translation>
    </message>
    <message>
        <source>You see what fits your card and why, and what it will cost in space and time.</source>
        <translation>Увидите, что подходит вашей карте и почему, и во сколько это обойдётся по месту и времени.</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Установить</translation>
    </message>
    <message>
        <source>Everything goes into one folder of its own and can be removed again.</source>
        <translation>Всё ляжет в одну отдельную папку, и всё можно удалить обратно.</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Обучить</translation>
    </message>
    <message>
        <source>A small network learns a picture while you watch, as a proof that it works.</source>
        <translation>Маленькая сеть на ваших глазах выучит картинку – это и есть доказательство, что всё работает.</translation>
    </message>
    <message>
        <source>No administrator rights, no account. Nothing about you or your computer is sent anywhere.</source>
        <translation>Без прав администратора и регистрации. Ничего о вас и вашем компьютере никуда не отправляется.</translation>
    </message>
    <message>
        <source>&amp;Look at my computer</source>
        <translation>&amp;Посмотреть на мой компьютер</translation>
    </message>
    <message>
        <source>&amp;Go on where I was</source>
        <translation>&amp;Продолжить с того же места</translation>
    </message>
    <message>
        <source>Welcome back</source>
        <translation>С возвращением</translation>
    </message>
    <message>
        <source>You have been here before. Go on where you were, or look at the computer afresh.</source>
        <translation>Вы здесь уже были. Продолжите с того же места или осмотрите компьютер заново.</translation>
    </message>
</context>
<context>
    <name>Wizard</name>
    <message>
        <source>Steps</source>
        <translation>Шаги</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Начало</translation>
    </message>
    <message>
        <source>Your computer</source>
        <translation>Ваш компьютер</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Выбор</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Проверка плана</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Установка</translation>
    </message>
    <message>
        <source>Training test</source>
        <translation>Пробное обучение</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Готово</translation>
    </message>
    <message>
        <source>Stop the install? What is downloaded so far is kept for the next try.</source>
        <translation>Остановить установку? Что уже скачано, сохранится для следующей попытки.</translation>
    </message>
    <message>
        <source>Save the training run</source>
        <translation>Сохранить обучение</translation>
    </message>
    <message>
        <source>Picture (*.png);;Data (*.json)</source>
        <translation>Картинка (*.png);;Данные (*.json)</translation>
    </message>
    <message>
        <source>No earlier runs</source>
        <translation>Прошлых запусков нет</translation>
    </message>
    <message>
        <source>The report is copied. Your name and your folders are not in it.</source>
        <translation>Отчёт скопирован. Вашего имени и ваших папок в нём нет.</translation>
    </message>
    <message>
        <source>Folder for environments and downloads</source>
        <translation>Папка для окружений и загрузок</translation>
    </message>
    <message>
        <source>Where shall the new project folder go?</source>
        <translation>Где создать папку проекта?</translation>
    </message>
    <message>
        <source>Jupyter needs the package ipykernel in this environment. If it is missing, this command adds it:</source>
        <translation>Для работы в Jupyter в этом окружении нужен пакет ipykernel. Если его нет, эта команда его добавит:</translation>
    </message>
    <message>
        <source>&amp;Add the kernel</source>
        <translation>&amp;Добавить ядро</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Не сейчас</translation>
    </message>
    <message>
        <source>Delete the environment in {folder}? This cannot be undone.</source>
        <translation>Удалить окружение в папке {folder}? Вернуть его будет нельзя.</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Да</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Нет</translation>
    </message>
</context>
<context>
    <name>_Model</name>
    <message>
        <source>Program</source>
        <translation>Программа</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>Карта</translation>
    </message>
    <message>
        <source>Video memory</source>
        <translation>Видеопамять</translation>
    </message>
    <message>
        <source>Part of the card</source>
        <translation>Доля карты</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Нагрузка</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Пользователь</translation>
    </message>
    <message>
        <source>Running for</source>
        <translation>Работает</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Команда</translation>
    </message>
    <message>
        <source>{name}, your training</source>
        <translation>{name}, ваше обучение</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>неизвестно</translation>
    </message>
    <message>
        <source>{size} + {shared} in ordinary memory</source>
        <translation>{size} + {shared} в обычной памяти</translation>
    </message>
</context>
</TS>
