/** The search parameters of a channel. Its settings are shown unless they select the deliveries. */
export interface ChannelSearch {
  readonly show?: 'deliveries'
}

export function readChannelSearch({ show }: Record<string, unknown>): ChannelSearch {
  return show === 'deliveries' ? { show } : {}
}
