import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { checkProgram } from '../answers.ts'
import { generate } from '../openapi-generator.ts'
import { program } from '../programs.ts'
import type { Step } from '../step.ts'

export const openapiGeneratorJava: Step = {
  name: 'openapi-generator-java',
  needs: ['java', 'javac', 'mvn'],
  async run(context) {
    const client = await generate(context, 'java')
    cpSync(program('OpenapiGenerator.java'), join(client, 'src/main/java/OpenapiGenerator.java'))
    const quiet = ['--batch-mode', '--quiet', `-Dmaven.repo.local=${join(context.cache, 'maven')}`]
    const jars = join(client, 'jars')
    const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`, '-DincludeScope=compile']
    await context.run('mvn', [...quiet, 'compile', ...copy], { cwd: client })
    const classes = `${join(client, 'target/classes')}:${jars}/*`
    await checkProgram(context, 'java', ['-cp', classes, 'OpenapiGenerator'])
  },
}
