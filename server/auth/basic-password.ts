/**
 * Returns the password of an `Authorization` header of the scheme Basic (RFC 7617) as a bearer credential. The user
 * name has no meaning. A header of any other scheme is returned unchanged.
 */
export function bearerOfBasic(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return authorization
  const [, ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return `Bearer ${password.join(':')}`
}
