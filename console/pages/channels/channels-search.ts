/** What the address of a channel says: its settings are shown unless its deliveries are asked for. */
export interface ChannelSearch {
  readonly show?: 'deliveries'
}

export function readChannelSearch({ show }: Record<string, unknown>): ChannelSearch {
  return show === 'deliveries' ? { show } : {}
}
