import type { ReactNode } from 'react'

/** Draws an icon of 16 by 16 pixels in the colour of the text. Icons only repeat what a label says. */
function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export const BrandIcon = () => (
  <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="var(--accent)" />
    <path d="M7 9h18v4H7zm5 6h13v4H12zm5 6h8v4h-8z" fill="var(--accent-ink)" />
  </svg>
)
export const MessagesIcon = () => (
  <Icon>
    <path d="M2 3.5h12M5 8h9M8 12.5h6" />
  </Icon>
)
export const IntegrationsIcon = () => (
  <Icon>
    <circle cx="3.5" cy="8" r="1.75" />
    <circle cx="12.5" cy="3.5" r="1.75" />
    <circle cx="12.5" cy="12.5" r="1.75" />
    <path d="m5.1 7.2 5.8-2.9M5.1 8.8l5.8 2.9" />
  </Icon>
)
export const ServicesIcon = () => (
  <Icon>
    <rect x="2.5" y="2.5" width="11" height="4.5" rx="1" />
    <rect x="2.5" y="9" width="11" height="4.5" rx="1" />
    <path d="M5 4.7h.1M5 11.2h.1" />
  </Icon>
)
export const LogsIcon = () => (
  <Icon>
    <path d="M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3" />
  </Icon>
)
export const MetricsIcon = () => (
  <Icon>
    <path d="M2.5 13.5h11M2.5 10.5l3.5-4 3 2.5 4.5-5.5" />
  </Icon>
)
export const AlertsIcon = () => (
  <Icon>
    <path d="M8 2a4 4 0 0 0-4 4c0 4-1.5 5.5-1.5 5.5h11S12 10 12 6a4 4 0 0 0-4-4zM6.7 14h2.6" />
  </Icon>
)
export const ChannelsIcon = () => (
  <Icon>
    <path d="m14 2-6 12-2-5.5L1.5 6zM14 2 6 8.5" />
  </Icon>
)
export const ViewsIcon = () => (
  <Icon>
    <path d="M4 2.5h8v11L8 10.8l-4 2.7z" />
  </Icon>
)
export const SettingsIcon = () => (
  <Icon>
    <path d="M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6" />
    <circle cx="10.2" cy="4.5" r="1.75" />
    <circle cx="5.8" cy="11.5" r="1.75" />
  </Icon>
)
export const InfoIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 7.3v3.4M8 5.2v.1" />
  </Icon>
)
export const StartIcon = () => (
  <Icon>
    <path d="M8 2v8M4.5 6.5 8 10l3.5-3.5M2.5 13.5h11" />
  </Icon>
)
export const RemoveIcon = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
)
export const AddIcon = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
)
export const DownIcon = () => (
  <Icon>
    <path d="m4 6 4 4 4-4" />
  </Icon>
)
export const UpIcon = () => (
  <Icon>
    <path d="m4 10 4-4 4 4" />
  </Icon>
)
export const RightIcon = () => (
  <Icon>
    <path d="m6 4 4 4-4 4" />
  </Icon>
)
export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 2.5h-6a2 2 0 0 0-2 2v6" />
  </Icon>
)
export const DoneIcon = () => (
  <Icon>
    <path d="m3 8.5 3.5 3.5L13 4.5" />
  </Icon>
)
export const RefreshIcon = () => (
  <Icon>
    <path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3" />
  </Icon>
)
export const ThemeIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" />
  </Icon>
)
export const ErrorIcon = () => (
  <Icon>
    <path d="M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1" />
  </Icon>
)
export const ClockIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 4.5V8l2.5 1.5" />
  </Icon>
)
