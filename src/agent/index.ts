/** What the editor and the command line use of the agent. */
export { type Broker, createBroker } from './gate/asking/broker.ts';
export type { SessionAnswer } from './gate/asking/sessionAnswers.ts';
export type { ExplainedPart, Explanation, NamedRule } from './gate/explaining/explanation.ts';
export type { Hook, RegisteredHooks } from './gate/hooks/hook.ts';
export { isPlainRepository } from './gate/places/gitConfig.ts';
export { protections } from './gate/places/protected.ts';
export { reveal } from './gate/reveal.ts';
export type { ListedRule } from './gate/rules/sources.ts';
export type {
  Clock,
  Diagnostic,
  Diagnostics,
  DirectoryEntry,
  EditDecision,
  EditProposal,
  Encoding,
  FileErrorKind,
  FileStat,
  Files,
  Host,
  PermissionAnswer,
  PermissionAsk,
  Prompts,
  Search,
  Shell,
  TextFile,
  UserQuestion,
  Workspace,
} from './host.ts';
export { FileError } from './host.ts';
export type { AgentEvent } from './loop/events.ts';
export { createAnthropicProvider } from './model/anthropic.ts';
export { createModelCatalog, type ModelCatalog } from './model/catalog.ts';
export { createDemoProvider } from './model/demo.ts';
export type { Provider } from './model/provider.ts';
export { systemClock } from './node/clock.ts';
export { createNodeFiles } from './node/files.ts';
export { createNodeGit } from './node/git.ts';
export { createNodeHost } from './node/host.ts';
export { createSearch, ripgrepCandidates } from './node/search.ts';
export { createNodeShell } from './node/shell.ts';
export * as textCodec from './node/text.ts';
export { createNodeWeb } from './node/web.ts';
export { type AddWorktree, addWorktree } from './node/worktrees/create.ts';
export { createNodeWorktrees } from './node/worktrees.ts';
export { createSession } from './session/create.ts';
export { type ExportFormat, exportSession } from './session/export/exportSession.ts';
export { type ForkPoint, forkSession } from './session/fork.ts';
export { createEarlierReader, type Earlier, type EarlierReader } from './session/past/readEarlier.ts';
export { lacksBeginning, shownPast } from './session/past/shownPast.ts';
export { createRuleBook, type RuleBook } from './session/ruleBook.ts';
export { createRedactor, type Redactor } from './session/secrets/redactor.ts';
export type { Session, SessionDependencies, TurnResult } from './session/session.ts';
export {
  defaultSettings,
  describeSettingsProblem,
  type Mode,
  modes,
  readSettings,
  type Settings,
  type SettingsProblem,
  settingsSchema,
} from './settings.ts';
export { homeSkillFolders, projectSkillFolders, skillFolders } from './skills/folders.ts';
export { type AuditEntry, type AuditFilter, readAudit } from './store/audit.ts';
export { type AuditFormat, auditFormats, auditHead, auditLine } from './store/auditText.ts';
export type { ApprovedHooks } from './store/hookApprovals.ts';
export type { CommandRow, CostRow, HistoryIndex, Report, ReportQuery } from './store/index/contract.ts';
export { openIndex } from './store/index/open.ts';
export { askForLease, whoHolds } from './store/lease.ts';
export { replaceSynced } from './store/replaceSynced.ts';
export { changeLabel, readLabel } from './store/sessions/label.ts';
export { findOldSessions, type OldSession, removeOldSession } from './store/sessions/retention.ts';
export { createSessionList, type ListedSession, type SessionList } from './store/sessions/sessionList.ts';
export { emptyTrash, restoreSession, type TrashedSession, trashSession } from './store/sessions/trash.ts';
export { listSessions, type SessionSummary, sessionsDirectory } from './store/sessions.ts';
export { definitionFolders, homeFolders, projectFolders } from './subagents/definitions/folders.ts';
export { type DefinitionSet, loadDefinitions, noDefinitions } from './subagents/definitions/load.ts';
export { type DefinitionProblem, describeProblem } from './subagents/definitions/problem.ts';
export { type AgentDefinition, withBuiltIn } from './subagents/definitions.ts';
export { exploreAreas, explorePrompt } from './subagents/exploration/explore.ts';
export type { SpawnPreview } from './subagents/spawn/preview.ts';
export { builtInTools } from './tools/list.ts';
export { createWorktreeDesk, type DeskEntry, type WorktreeDesk } from './worktrees/desk.ts';
