import type { Host } from '../../host.ts';
import type { Provider } from '../../model/provider.ts';
import type { Artifacts } from '../../store/artifacts.ts';
import type { Redactor } from './redactor.ts';

/** The output of commands loses secrets before it is shown or written to a file. */
export function hostWithoutSecrets(host: Host, redactor: Redactor): Host {
  const { shell } = host;
  return { ...host, shell: { run: (request, signal) => shell.run({ ...request, filter: redactor.filter() }, signal) } };
}

/** Nothing that agents read of a secret reaches a model. */
export function providerWithoutSecrets(provider: Provider, redactor: Redactor): Provider {
  return {
    id: provider.id,
    stream: (request, signal) => provider.stream(redactor.value(request), signal),
    countTokens: (request, signal) => provider.countTokens(redactor.value(request), signal),
    listModels: (signal) => provider.listModels(signal),
  };
}

export function artifactsWithoutSecrets(artifacts: Artifacts, redactor: Redactor): Artifacts {
  return { ...artifacts, write: (text, extension) => artifacts.write(redactor.text(text), extension) };
}
