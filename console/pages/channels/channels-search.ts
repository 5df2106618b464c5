/** What the address of a channel says: its settings are shown unless it names deliveries. */
export interface ChannelSearch {
  readonly show?: 'deliveries'
}

export function readChannelSearch({ show }: Record<string, unknown>): ChannelSearch {
  return show === 'deliveries' ? { show } : {}
}
