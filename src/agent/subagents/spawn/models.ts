import type { ModelCatalog, ResolvedModel } from '../../model/catalog.ts';
import type { Settings } from '../../settings.ts';
import type { AgentDefinition } from '../definitions.ts';

export type ModelChoice = {
  readonly model: ResolvedModel /** Which rule chose it, for people. */;
  readonly rule: string;
};

/**
 * The model of a subagent. First that applies: environment (`OFFSHOOT_SUBAGENT_MODEL`), call, definition,
 * setting of the definition's role, parent. A role's model that the server does not have falls back to the parent's; one named by a call does not.
 * @throws ModelError when a model that was asked for by name is not to be had
 */
export async function chooseModel(
  choice: {
    readonly environment: string | undefined;
    readonly call: string | undefined;
    readonly definition: AgentDefinition;
    readonly parent: ResolvedModel;
    readonly settings: Settings;
  },
  catalog: ModelCatalog,
  signal: AbortSignal,
): Promise<ModelChoice | { readonly unknown: string }> {
  const { environment, call, definition, parent, settings } = choice;
  const named = [
    { name: environment, rule: 'environment' },
    { name: call, rule: 'call' },
    { name: definition.model, rule: 'definition' },
  ].find(isNamed);
  if (named && named.name !== 'inherit') {
    const model = await catalog.resolve(named.name, signal);
    return model ? { model, rule: named.rule } : { unknown: named.name };
  }
  if (named) return { model: parent, rule: `${named.rule}: parent` };

  const role = roleSetting(definition, settings);
  if (role.name === '' || role.name === 'inherit') return { model: parent, rule: 'parent' };
  const model = await catalog.resolve(role.name, signal);
  if (model) return { model, rule: role.rule };
  return { model: parent, rule: `parent (${role.rule} ${role.name} is not offered)` };
}

type Named = { readonly name: string; readonly rule: string };

function isNamed(choice: { readonly name: string | undefined; readonly rule: string }): choice is Named {
  return choice.name !== undefined && choice.name !== '';
}

function roleSetting({ modelRole }: AgentDefinition, settings: Settings): { name: string; rule: string } {
  switch (modelRole) {
    case 'small':
      return { name: settings.smallModel, rule: 'small model setting' };
    case 'plan':
      return { name: settings.planModel, rule: 'plan model setting' };
    case 'parent':
      return { name: '', rule: 'parent' };
  }
}
