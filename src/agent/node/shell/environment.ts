const kept = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM NO_COLOR TZ TMPDIR TMP TEMP CI NODE_ENV NODE_PATH NODE_EXTRA_CA_CERTS
  SSL_CERT_FILE SSL_CERT_DIR SSH_AUTH_SOCK DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME
  XDG_STATE_HOME JAVA_HOME JDK_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT GOPATH GOROOT GOBIN
  GOCACHE GOMODCACHE GOPROXY CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME COREPACK_HOME
  BUN_INSTALL DENO_DIR PYENV_ROOT PYTHONPATH VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH
  DOTNET_ROOT HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY PKG_CONFIG_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH CC CXX
  MAKEFLAGS HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NPM_CONFIG_REGISTRY PIP_INDEX_URL
  SYSTEMROOT WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) COMMONPROGRAMFILES USERPROFILE
  USERNAME HOMEDRIVE HOMEPATH SYSTEMDRIVE NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS`.split(/\s+/),
);

const secretName = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|^ANTHROPIC_/i;
const secretValue = /:\/\/[^/\s]*@/;

/** Nobody is there to page through output, answer a prompt or close an editor. */
const unattended = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' } as const;

/** What a command may see of our environment: names on a list, and of those nothing that looks like a secret. */
export function commandEnvironment(source: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const result: Record<string, string> = { ...unattended };
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || !isKept(name.toUpperCase())) continue;
    if (!secretName.test(name) && !secretValue.test(value)) result[name] = value;
  }
  return result;
}

function isKept(name: string): boolean {
  return kept.has(name) || name.startsWith('LC_');
}
