import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What is not the public internet: special purpose registries of IANA, and addresses at which clouds answer their own machines. */
const reserved4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`;
/** Within the only block that is given out. */
const reserved6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

/** The last four bytes are an IPv4 address, and the packet goes there. */
const carriers = [
  // Mapped.
  '0:0:0:0:0:ffff',
  // NAT64, as resolvers of networks without IPv4 make them.
  '64:ff9b:0:0:0:0',
];

/** Whether an address, as a resolver or an URL gives it, is one of the public internet. Anything unclear is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blocks().four.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  const groups = groupsOf(address);
  if (groups.length !== 8) return false;
  const carried = carriers.includes(
    groups
      .slice(0, 6)
      .map((group) => group.toString(16))
      .join(':'),
  );
  if (carried) return isPublicAddress(lastFourBytes(groups));
  const [first = 0] = groups;
  const isGivenOut = first >= 0x2000 && first <= 0x3fff;
  return isGivenOut && !blocks().six.check(address, 'ipv6');
}

/** The eight numbers of an address, however it is written. */
function groupsOf(address: string): readonly number[] {
  const [, head = address, dotted] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = dotted?.split('.').map(Number) ?? [];
  const plain = dotted === undefined ? address : `${head}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const [left = '', right] = plain.split('::');
  const read = (part: string) => part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]));
  if (right === undefined) return read(left);
  const [before, after] = [read(left), read(right)];
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

function lastFourBytes(groups: readonly number[]): string {
  return groups
    .slice(-2)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

let lists: { readonly four: BlockList; readonly six: BlockList } | undefined;

function blocks() {
  lists ??= { four: listOf(reserved4, 'ipv4'), six: listOf(reserved6, 'ipv6') };
  return lists;
}

function listOf(subnets: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(/\s+/)) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
