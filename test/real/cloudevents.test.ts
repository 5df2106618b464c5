import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { expect, it } from 'vitest'
import { renderBody } from '../../server/webhooks/formats/formats.ts'
import { sampleContext } from '../../server/webhooks/templates/template-variables.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'

const file = 'conformance/cloudevents/spec/cloudevents.schema.json'

describeOver([file], 'the official schema of CloudEvents 1.0', () => {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  const validate = ajv.compile(JSON.parse(readShared(file)))

  it.each(['firing', 'resolved', 'test'] as const)(
    'takes the event of the notification %s, of any organization',
    (event) => {
      for (const id of ['acme', 'ünï/cødé & "co" %', '😀']) {
        const context = { ...sampleContext, org: { id, name: id } }
        const { text } = renderBody(
          { format: 'cloudevents', bodyTemplate: null },
          { id: '01JNB4Y8Z5A7C9E1G3J5M7P9RT', event, context },
        )
        expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null])
      }
    },
  )

  it('refuses the same event without any one of its required attributes', () => {
    const { text } = renderBody(
      { format: 'cloudevents', bodyTemplate: null },
      { id: 'x', event: 'firing', context: sampleContext },
    )
    for (const attribute of ['id', 'source', 'type', 'specversion']) {
      expect(validate({ ...JSON.parse(text), [attribute]: undefined })).toBe(false)
    }
  })
})
