import type { Translate } from './strings.ts';

export function formatDuration(t: Translate, milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t('{0} min {1} s', minutes, seconds % 60);
  return t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

/** Of a call: short ones matter less and are exact. */
export function formatCallDuration(t: Translate, milliseconds: number): string {
  if (milliseconds < 950) return '';
  if (milliseconds < 9950) return t('{0} s', (milliseconds / 1000).toFixed(1));
  return formatDuration(t, milliseconds);
}

/** e.g. `950`, `24k`, `1.2M` */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** US dollars; empty when the price is not known. */
export function formatCost(cost: number | undefined): string {
  if (cost === undefined || cost <= 0) return '';
  if (cost < 0.005) return '<$0.01';
  return `$${cost.toFixed(2)}`;
}

export function joinFacts(facts: readonly string[]): string {
  return facts.filter((fact) => fact !== '').join(' · ');
}

/** How long ago something was, in one unit. */
export function formatAge(t: Translate, milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return t('now');
  if (minutes < 60) return t('{0} min', minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? t('{0} h', hours) : t('{0} d', Math.floor(hours / 24));
}
