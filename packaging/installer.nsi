; The installer: for one user, without an administrator, in English and Russian. Built by packaging/build.py.
;
; Silent: setup.exe /S [/D=C:\folder]; it installs or upgrades, and never touches environments or settings.
; Silent removal: uninstall.exe /S keeps environments, downloads, settings and reports; /S /REMOVE=environments,cache,settings,reports
; deletes what is named. Exit code 3: the program is running.

Unicode true
Target amd64-unicode
RequestExecutionLevel user
SetCompressor /SOLID lzma
ManifestDPIAware true

!include MUI2.nsh
!include nsDialogs.nsh
!include FileFunc.nsh
!include LogicLib.nsh

!define NAME "GPU Assistant"
!define GUI "gpu-assistant-gui.exe"
!define CLI "gpu-assistant.exe"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\GPU Assistant"

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
BrandingText "${NAME} ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "${NAME}"
VIAddVersionKey "LegalCopyright" "MIT"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${GUI}"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH

!insertmacro MUI_UNPAGE_CONFIRM
UninstPage custom un.AskWhatToKeep un.TakeAnswers
!insertmacro MUI_UNPAGE_INSTFILES

!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Russian"

LangString Running ${LANG_ENGLISH} "${NAME} is running. Close it, then try again."
LangString Running ${LANG_RUSSIAN} "${NAME} сейчас работает. Закройте программу и повторите."
LangString KeepTitle ${LANG_ENGLISH} "What else may go?"
LangString KeepTitle ${LANG_RUSSIAN} "Что ещё удалить?"
LangString KeepText ${LANG_ENGLISH} "The program itself is removed. Tick what you do not need any more; the rest stays where it is."
LangString KeepText ${LANG_RUSSIAN} "Сама программа будет удалена. Отметьте то, что вам больше не нужно; остальное останется на месте."
LangString Environments ${LANG_ENGLISH} "Environments with PyTorch and others ($1 MB)"
LangString Environments ${LANG_RUSSIAN} "Среды с PyTorch и другими фреймворками ($1 МБ)"
LangString Cache ${LANG_ENGLISH} "Downloads and Pythons ($2 MB)"
LangString Cache ${LANG_RUSSIAN} "Загрузки и Python ($2 МБ)"
LangString Settings ${LANG_ENGLISH} "Settings ($3 MB)"
LangString Settings ${LANG_RUSSIAN} "Настройки ($3 МБ)"
LangString Reports ${LANG_ENGLISH} "Saved runs, reports and logs ($4 MB)"
LangString Reports ${LANG_RUSSIAN} "Сохранённые запуски, отчёты и журналы ($4 МБ)"

Var Remove
Var Box1
Var Box2
Var Box3
Var Box4

; A program that runs holds its own file: nobody else may write into it.
!macro CheckRunning un
Function ${un}CheckRunning
  again:
  IfFileExists "$INSTDIR\${GUI}" 0 free
  ClearErrors
  FileOpen $0 "$INSTDIR\${GUI}" a
  ${If} ${Errors}
    IfSilent 0 +3
      SetErrorLevel 3
      Quit
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" IDRETRY again
    SetErrorLevel 3
    Quit
  ${EndIf}
  FileClose $0
  free:
FunctionEnd
!macroend
!insertmacro CheckRunning ""
!insertmacro CheckRunning "un."

Section
  Call CheckRunning
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${PROGRAM}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${GUI}"
  WriteRegStr HKCU "${KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\${GUI}"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${KEY}" "EstimatedSize" $0
SectionEnd

Function un.onInit
  Call un.CheckRunning
  ${GetParameters} $0
  ${GetOptions} $0 "/REMOVE=" $Remove
FunctionEnd

Function un.AskWhatToKeep
  InitPluginsDir
  nsExec::Exec '"$INSTDIR\${CLI}" folders --ini "$PLUGINSDIR\sizes.ini"'
  Pop $0
  ReadINIStr $1 "$PLUGINSDIR\sizes.ini" sizes environments
  ReadINIStr $2 "$PLUGINSDIR\sizes.ini" sizes cache
  ReadINIStr $3 "$PLUGINSDIR\sizes.ini" sizes settings
  ReadINIStr $4 "$PLUGINSDIR\sizes.ini" sizes reports
  !insertmacro MUI_HEADER_TEXT "$(KeepTitle)" "$(KeepText)"
  nsDialogs::Create 1018
  Pop $0
  ${NSD_CreateCheckbox} 0 10u 100% 14u "$(Environments)"
  Pop $Box1
  ${NSD_CreateCheckbox} 0 28u 100% 14u "$(Cache)"
  Pop $Box2
  ${NSD_CreateCheckbox} 0 46u 100% 14u "$(Settings)"
  Pop $Box3
  ${NSD_CreateCheckbox} 0 64u 100% 14u "$(Reports)"
  Pop $Box4
  nsDialogs::Show
FunctionEnd

!macro TakeAnswer box kind
  ${NSD_GetState} ${box} $0
  ${If} $0 == ${BST_CHECKED}
    StrCpy $Remove "$Remove${kind},"
  ${EndIf}
!macroend

Function un.TakeAnswers
  StrCpy $Remove ""
  !insertmacro TakeAnswer $Box1 "environments"
  !insertmacro TakeAnswer $Box2 "cache"
  !insertmacro TakeAnswer $Box3 "settings"
  !insertmacro TakeAnswer $Box4 "reports"
FunctionEnd

Section Uninstall
  ${If} $Remove != ""
    nsExec::Exec '"$INSTDIR\${CLI}" folders --remove $Remove'
    Pop $0
  ${EndIf}
  Delete "$SMPROGRAMS\${NAME}.lnk"
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\${GUI}"
  Delete "$INSTDIR\${CLI}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${KEY}"
SectionEnd
