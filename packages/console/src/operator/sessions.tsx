import type { JSX } from 'preact'
import { type ApiCall, operator } from '../api.ts'
import { ConfirmButton } from '../components/confirm.tsx'
import { Moment } from '../components/moment.tsx'
import { useNotice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { ResourcePanel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { plural } from '../format.ts'
import { useList } from '../resource.ts'
import { session } from '../session.ts'
import { toPartnerPage } from './names.ts'
import type { ConsoleSession } from '@portico/sdk/operator'
import { toBrowser } from './user-agent.ts'

export function SessionsPage(): JSX.Element {
  const sessions = useList<ConsoleSession>(operator('GET', '/sessions'))
  const { notice, say } = useNotice()
  const onEnded = (text: string): void => {
    say(text)
    sessions.reload()
  }
  return (
    <Page
      title="Console sessions"
      lead="Browsers that are signed in to the console. A session lasts 8 hours at most, and ends when its secret is removed or its partner is disabled."
    >
      {notice}
      <ResourcePanel
        title="Live sessions"
        resource={sessions}
        actions={<EndAllButton sessions={sessions.data ?? []} onEnded={onEnded} />}
        empty={{ when: (rows) => rows.length === 0, title: 'Nobody is signed in' }}
      >
        {(rows) => <SessionTable sessions={rows} hasPartner loadMore={sessions.loadMore} onEnded={onEnded} />}
      </ResourcePanel>
    </Page>
  )
}

const toEndCall = (sessionId: string): ApiCall =>
  operator('DELETE', `/sessions/${encodeURIComponent(sessionId)}`)

function EndAllButton({
  sessions,
  onEnded,
}: {
  sessions: readonly ConsoleSession[]
  onEnded: (text: string) => void
}): JSX.Element {
  const own = session.value?.partner.partnerUuid
  // The caller's own sessions come last: without them, the console has no token to end the others.
  const ordered = sessions.toSorted((a, b) => Number(a.partnerUuid === own) - Number(b.partnerUuid === own))
  return (
    <ConfirmButton<void>
      label="End all"
      title="End all sessions?"
      confirm={`End ${plural(sessions.length, 'session')}`}
      isSmall
      isDanger
      isDisabled={sessions.length === 0}
      call={ordered.map(({ sessionId }) => toEndCall(sessionId))}
      onAnswer={() => onEnded('All sessions have ended.')}
    >
      <p>Everybody has to sign in again, you included. Tokens of programs are not affected.</p>
    </ConfirmButton>
  )
}

interface SessionTableProps {
  sessions: readonly ConsoleSession[]
  hasPartner?: boolean
  loadMore?: (() => void) | undefined
  onEnded: (text: string) => void
}

export function SessionTable({
  sessions,
  hasPartner = false,
  loadMore,
  onEnded,
}: SessionTableProps): JSX.Element {
  return (
    <DataTable
      caption="Console sessions"
      rows={sessions}
      toKey={({ sessionId }) => sessionId}
      loadMore={loadMore}
      columns={[
        ...(hasPartner
          ? [
              {
                header: 'Partner',
                cell: ({ partnerUuid, partnerName }: ConsoleSession) => (
                  <a href={toPartnerPage(partnerUuid)}>{partnerName}</a>
                ),
              },
            ]
          : []),
        { header: 'Address', cell: ({ address }) => <code>{address}</code> },
        {
          header: 'Browser',
          cell: ({ agent }) => <span title={agent}>{toBrowser(agent)}</span>,
          isMinor: true,
        },
        { header: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { header: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} />, isMinor: true },
        {
          header: 'Change',
          isNumber: true,
          cell: ({ sessionId, address, partnerName }) => (
            <ConfirmButton<void>
              label="End"
              subject={`the session of ${partnerName} from ${address}`}
              title="End this session?"
              confirm="End the session"
              isSmall
              isDanger
              call={toEndCall(sessionId)}
              onAnswer={() => onEnded('The session has ended.')}
            >
              <p>
                {partnerName} has to sign in again at {address}.
              </p>
            </ConfirmButton>
          ),
        },
      ]}
    />
  )
}
