/** Formats a request to the API for a shell. The credential is a variable. */
export function curlOf(path: string, body: object): string {
  const sent = JSON.stringify(body).replaceAll("'", "'\\''")
  const url = new URL(path, document.baseURI)
  const headers = `-H "Authorization: Bearer $TRACEFOLD_TOKEN" -H 'Content-Type: application/json'`
  return `curl -sS ${url.href} ${headers} -d '${sent}'`
}
