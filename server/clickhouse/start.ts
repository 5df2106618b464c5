export { remoteSource } from './endpoint.ts'
