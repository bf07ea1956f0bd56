/* libraft 0.15.0 acknowledges a command that no other server has, and loses it. It runs in the
 * library's own fixture: cc loses.c -lraft && ./a.out */
#include <raft.h>
#include <raft/fixture.h>
#include <stdio.h>

static int apply(struct raft_fsm *fsm, const struct raft_buffer *buf, void **result)
{
    *result = NULL;
    printf("  server %d applies %c\n", *(int *)fsm->data, *(char *)buf->base);
    return 0;
}

static void done(struct raft_apply *request, int status, void *result)
{
    (void)result;
    printf("  the client of %c gets: %s\n", *(char *)request->data, status == 0 ? "done" : raft_strerror(status));
}

static void connect(struct raft_fixture *f, unsigned i, unsigned j, void (*act)(struct raft_fixture *, unsigned, unsigned))
{
    act(f, i, j);
    act(f, j, i);
}

static void command(struct raft_fixture *f, unsigned i, char *c)
{
    static struct raft_apply requests[3];
    static int n;
    struct raft_buffer buf = {raft_calloc(1, 8), 8};
    *(char *)buf.base = *c;
    requests[n].data = c;
    printf("command %c at server %u: %d\n", *c, i, raft_apply(raft_fixture_get(f, i), &requests[n], &buf, 1, done));
    n++;
}

int main(void)
{
    static struct raft_fixture f;
    static struct raft_fsm fsms[3];
    static int ids[] = {0, 1, 2};
    struct raft_configuration conf;
    raft_fixture_initialize(&f);
    for (int i = 0; i < 3; i++) {
        fsms[i] = (struct raft_fsm){.version = 1, .data = &ids[i], .apply = apply};
        raft_fixture_grow(&f, &fsms[i]);
    }
    raft_fixture_configuration(&f, 3, &conf);
    raft_fixture_bootstrap(&f, &conf);
    raft_fixture_start(&f);
    raft_fixture_step_until_state_is(&f, 0, RAFT_LEADER, 5000);
    connect(&f, 0, 1, raft_fixture_disconnect);
    connect(&f, 0, 2, raft_fixture_disconnect);
    command(&f, 0, "A");
    raft_fixture_step_until_state_is(&f, 1, RAFT_LEADER, 5000);
    printf("server 1 leads\n");
    connect(&f, 1, 2, raft_fixture_disconnect);
    connect(&f, 0, 1, raft_fixture_reconnect);
    while (raft_fixture_get(&f, 0)->state != RAFT_FOLLOWER || raft_fixture_get(&f, 0)->follower_state.current_leader.id != 2) {
        raft_fixture_step(&f);
    }
    command(&f, 1, "B");
    raft_fixture_step_until_applied(&f, 1, 2, 500);
    raft_fixture_kill(&f, 1);
    connect(&f, 0, 2, raft_fixture_reconnect);
    raft_fixture_step_until_has_leader(&f, 20000);
    printf("server 1 is down, server %u leads\n", raft_fixture_leader_index(&f));
    command(&f, raft_fixture_leader_index(&f), "C");
    raft_fixture_step_until_elapsed(&f, 2000);
    return 0;
}
