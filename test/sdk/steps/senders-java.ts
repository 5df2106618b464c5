import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../programs.ts'
import { checkSender } from '../senders.ts'
import type { Step } from '../step.ts'

const version = '1.67.0'

function dependency(name: string): string {
  return `<dependency>
      <groupId>io.opentelemetry</groupId><artifactId>${name}</artifactId><version>${version}</version>
    </dependency>`
}

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId><artifactId>sender</artifactId><version>1</version>
  <dependencies>
    ${dependency('opentelemetry-sdk-extension-autoconfigure')}
    ${dependency('opentelemetry-exporter-otlp')}
  </dependencies>
</project>
`

export const sendersJava: Step = {
  name: 'senders-java',
  needs: ['java', 'javac', 'mvn'],
  async run(context) {
    const { cache, folder, run } = context
    writeFileSync(join(folder, 'pom.xml'), project)
    mkdirSync(join(folder, 'classes'))
    cpSync(program('Sender.java'), join(folder, 'Sender.java'))
    const quiet = ['--batch-mode', '--quiet', `-Dmaven.repo.local=${join(cache, 'maven')}`]
    await run('mvn', [...quiet, 'dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'jars')}`])
    await run('javac', ['-cp', 'jars/*', '-d', 'classes', 'Sender.java'])
    await checkSender(context, 'sender-java', ['java', '-cp', 'classes:jars/*', 'Sender'])
  },
}
