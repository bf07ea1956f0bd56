/* Unmodified libraft nodes in one process, with a struct raft_io of the driver.
 *
 * Time is that of the steps. A write waits for a step, if the composition has CompleteWrite, and is
 * complete at the end of a step otherwise. What the library allocates lives until the next reset,
 * and so a crash forgets a node as it is. */

#include <raft.h>
#include <string.h>

#include "../../../checker/conform/drivers/c/multigrain.h"

enum { NODES = 9, LOG = 64, ELECTION = 1000000, HEARTBEAT = 100 };

/* What a crash leaves. */
struct disk {
    raft_term term;
    raft_id vote;
    struct raft_entry entries[LOG];
    unsigned n;
};

struct node {
    int i;
    struct raft raft;
    struct raft_io io;
    struct raft_fsm fsm;
    raft_time now;
    raft_io_tick_cb tick;
    raft_io_recv_cb receive;
    struct mg_queue writes, sent, done; /* of struct write, struct sent, and payloads of commands */
    raft_index end;                     /* of the log, when all writes are complete */
};

struct write {
    struct raft_io_append *request;
    raft_io_append_cb done;
    raft_index first;
    struct raft_entry *entries;
    unsigned n;
};

struct sent {
    struct raft_io_send *request;
    raft_io_send_cb done;
    int status;
};

static struct node *nodes[NODES];
static struct disk disks[NODES];
static int n_nodes;
static bool pre_vote, waits;
static struct raft_configuration all;
static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8"};

/* The heap of the library. */

static void *take(void *data, size_t size) { return mg_memory(size); }
static void *take_many(void *data, size_t n, size_t size) { return mg_memory(n * size); }
static void *take_more(void *data, void *old, size_t size) { return mg_resize(old, size); }
static void keep(void *data, void *p) {}
static void *take_aligned(void *data, size_t a, size_t size) { return a <= _Alignof(max_align_t) ? mg_memory(size) : NULL; }
static void keep_aligned(void *data, size_t a, void *p) {}

static struct raft_heap heap = {NULL, take, keep, take_many, take_more, take_aligned, keep_aligned};

/* Entries in one batch of memory, as the library's own transport and disk have them. */
static struct raft_entry *copy(const struct raft_entry *from, size_t n)
{
    struct raft_entry *to = n > 0 ? mg_copy(from, n * sizeof *from) : NULL;
    size_t size = 0;
    for (size_t k = 0; k < n; k++) {
        size += from[k].buf.len;
    }
    for (size_t k = 0; k < n; k++) {
        to[k].batch = k == 0 ? mg_memory(size) : to[0].batch;
        to[k].buf.base = memcpy((char *)to[k].batch + (size -= from[k].buf.len), from[k].buf.base, from[k].buf.len);
    }
    return to;
}

/* The interface struct raft_io. */

static int io_init(struct raft_io *io, raft_id id, const char *address) { return 0; }

static struct disk *disk_of(const struct raft_io *io) { return &disks[((struct node *)io->impl)->i]; }

static int io_bootstrap(struct raft_io *io, const struct raft_configuration *conf)
{
    struct disk *d = disk_of(io);
    *d = (struct disk){.term = 1, .n = 1, .entries = {{.term = 1, .type = RAFT_CHANGE}}};
    return raft_configuration_encode(conf, &d->entries[0].buf);
}

static int io_load(struct raft_io *io, raft_term *term, raft_id *vote, struct raft_snapshot **snapshot, raft_index *start,
                   struct raft_entry **list, size_t *n)
{
    const struct disk *d = disk_of(io);
    *term = d->term, *vote = d->vote, *snapshot = NULL, *start = 1, *n = d->n, *list = copy(d->entries, d->n);
    return 0;
}

static int io_start(struct raft_io *io, unsigned msecs, raft_io_tick_cb tick, raft_io_recv_cb receive)
{
    struct node *n = io->impl;
    n->tick = tick, n->receive = receive;
    return 0;
}

static int io_set_term(struct raft_io *io, raft_term term)
{
    disk_of(io)->term = term, disk_of(io)->vote = 0;
    return 0;
}

static int io_set_vote(struct raft_io *io, raft_id vote)
{
    disk_of(io)->vote = vote;
    return 0;
}

static int io_append(struct raft_io *io, struct raft_io_append *request, const struct raft_entry *list, unsigned n, raft_io_append_cb done)
{
    struct node *node = io->impl;
    struct write w = {request, done, node->end + 1, copy(list, n), n};
    if (node->end + n > LOG) {
        mg_refuse("this driver has no logs of more than %d entries", LOG);
        return RAFT_NOSPACE;
    }
    mg_put(&node->writes, mg_copy(&w, sizeof w));
    node->end += n;
    return 0;
}

/* The write that follows drops the end of the log. */
static int io_truncate(struct raft_io *io, raft_index index)
{
    ((struct node *)io->impl)->end = index - 1;
    return 0;
}

static int io_send(struct raft_io *io, struct raft_io_send *request, const struct raft_message *m, raft_io_send_cb done)
{
    struct node *n = io->impl;
    struct sent s = {request, done, RAFT_NOCONNECTION};
    struct raft_message *out = mg_copy(m, sizeof *m);
    out->server_id = n->raft.id, out->server_address = n->raft.address;
    if (m->type == RAFT_IO_APPEND_ENTRIES) {
        out->append_entries.entries = copy(m->append_entries.entries, m->append_entries.n_entries);
    }
    if (m->type > RAFT_IO_REQUEST_VOTE_RESULT) {
        mg_fail("the library sends a message of type %d", m->type);
    } else if (m->server_id == 0) {
        mg_raise("the library sends a message to server 0, at no address");
    } else if (mg_send(n->i, (int)m->server_id - 1, out)) {
        s.status = 0;
    }
    mg_put(&n->sent, mg_copy(&s, sizeof s));
    return 0;
}

static int io_put(struct raft_io *io, unsigned trailing, struct raft_io_snapshot_put *request, const struct raft_snapshot *snapshot,
                  raft_io_snapshot_put_cb done)
{
    mg_refuse("this driver has no snapshots");
    return RAFT_IOERR;
}

static int io_get(struct raft_io *io, struct raft_io_snapshot_get *request, raft_io_snapshot_get_cb done)
{
    return io_put(io, 0, NULL, NULL, NULL);
}

static raft_time io_time(struct raft_io *io) { return ((struct node *)io->impl)->now; }
static int io_random(struct raft_io *io, int min, int max) { return min; }

static int apply(struct raft_fsm *fsm, const struct raft_buffer *buf, void **result)
{
    *result = NULL;
    mg_put(&((struct node *)fsm->data)->done, buf->base);
    return 0;
}

static void start(int i)
{
    struct node *n = nodes[i] = mg_memory(sizeof *n);
    int rv;
    *n = (struct node){.i = i, .now = ELECTION, .end = disks[i].n, .fsm = {.version = 1, .data = n, .apply = apply},
        .io = {.version = 1, .impl = n, .init = io_init, .load = io_load, .start = io_start, .bootstrap = io_bootstrap,
            .set_term = io_set_term, .set_vote = io_set_vote, .send = io_send, .append = io_append, .truncate = io_truncate,
            .snapshot_put = io_put, .snapshot_get = io_get, .time = io_time, .random = io_random}};
    rv = raft_init(&n->raft, &n->io, &n->fsm, (raft_id)i + 1, names[i]);
    if (rv == 0 && n->end == 0) {
        rv = raft_bootstrap(&n->raft, &all);
        n->end = disks[i].n;
    }
    raft_set_election_timeout(&n->raft, ELECTION);
    raft_set_heartbeat_timeout(&n->raft, HEARTBEAT);
    raft_set_pre_vote(&n->raft, pre_vote);
    if (rv != 0 || (rv = raft_start(&n->raft)) != 0) {
        mg_fail("node %d does not start: %s", i, raft_strerror(rv));
    }
}

/* The functions of the driver. */

static void begin(const cJSON *settings, const cJSON *actions)
{
    pre_vote = strcmp(mg_text(settings, "prevote"), "true") == 0;
    waits = mg_lists(actions, "CompleteWrite");
    raft_heap_set(&heap);
}

static void reset(int n)
{
    memset(disks, 0, sizeof disks);
    raft_configuration_init(&all);
    for (int i = 0; i < n; i++) {
        raft_configuration_add(&all, (raft_id)i + 1, names[i], RAFT_VOTER);
    }
    for (int i = 0; i < n; i++) {
        start(i);
    }
    n_nodes = n;
}

static void pass(const struct mg_step *s) { nodes[s->i]->now += HEARTBEAT; }

static void beat(const struct mg_step *s)
{
    pass(s);
    nodes[s->i]->tick(&nodes[s->i]->io);
}

static void time_out(const struct mg_step *s)
{
    nodes[s->i]->now += ELECTION;
    nodes[s->i]->tick(&nodes[s->i]->io);
}

static void deliver(const struct mg_step *s)
{
    struct raft_message *m = mg_receive(s->j, s->i, 1);
    if (m != NULL) {
        nodes[s->i]->receive(&nodes[s->i]->io, m);
    }
}

/* The payload of a command is its number. */
static void propose(const struct mg_step *s)
{
    struct raft_buffer buf = {mg_memory(8), 8};
    int rv;
    *(unsigned char *)buf.base = (unsigned char)mg_number(s->after, "Proposed");
    rv = raft_apply(&nodes[s->i]->raft, mg_memory(sizeof(struct raft_apply)), &buf, 1, NULL);
    if (rv != 0) {
        mg_fail("the library refuses the command: %s", raft_strerror(rv));
    }
}

static void restart(const struct mg_step *s)
{
    mg_clear_all(s->i);
    start(s->i);
}

static void cut(const struct mg_step *s) { mg_cut(s->i, s->j); }
static void heal(const struct mg_step *s) { mg_heal(s->i, s->j); }

/* Does what the transport and the disk do after a call of the library. */
static void settle(const struct mg_step *s)
{
    struct node *n = nodes[s->i];
    struct disk *d = &disks[s->i];
    bool write = !waits || strcmp(s->action, "CompleteWrite") == 0;
    for (;;) {
        struct sent *sent = mg_take(&n->sent, 1);
        struct write *w = sent == NULL && write ? mg_take(&n->writes, 1) : NULL;
        if (sent != NULL) {
            sent->done(sent->request, sent->status);
        } else if (w != NULL) {
            memcpy(d->entries + w->first - 1, w->entries, w->n * sizeof *w->entries);
            d->n = (unsigned)w->first - 1 + w->n;
            w->done(w->request, 0);
            write = !waits;
        } else {
            return;
        }
    }
}

/* What is observed. */

static cJSON *entries(const struct raft_entry *ring, size_t first, size_t n, size_t size)
{
    cJSON *out = cJSON_CreateArray();
    for (size_t k = first; k < first + n; k++) {
        const struct raft_entry *e = &ring[k % size];
        int value = e->type == RAFT_COMMAND ? *(const unsigned char *)e->buf.base : 0;
        cJSON_AddItemToArray(out, mg_json("{'Term': %llu, 'Value': %d}", e->term, value));
    }
    return out;
}

static cJSON *show(const void *message)
{
    const struct raft_message *m = message;
    const struct raft_request_vote *v = &m->request_vote;
    const struct raft_request_vote_result *vr = &m->request_vote_result;
    const struct raft_append_entries *a = &m->append_entries;
    const struct raft_append_entries_result *ar = &m->append_entries_result;
    cJSON *out;
    switch (m->type) {
    case RAFT_IO_REQUEST_VOTE:
        return mg_json("{'Kind': 'RequestVote', 'Term': %llu, 'Index': %llu, 'LogTerm': %llu, 'PreVote': %s}",
                       v->term, v->last_log_index, v->last_log_term, mg_bool(v->pre_vote));
    case RAFT_IO_REQUEST_VOTE_RESULT:
        return mg_json("{'Kind': 'RequestVoteResult', 'Term': %llu, 'PreVote': %s, 'Granted': %s}",
                       vr->term, mg_bool(vr->pre_vote == raft_tribool_true), mg_bool(vr->vote_granted));
    case RAFT_IO_APPEND_ENTRIES_RESULT:
        return mg_json("{'Kind': 'AppendEntriesResult', 'Term': %llu, 'Index': %llu, 'Rejected': %llu}",
                       ar->term, ar->last_log_index, ar->rejected);
    }
    out = mg_json("{'Kind': 'AppendEntries', 'Term': %llu, 'Index': %llu, 'LogTerm': %llu, 'Commit': %llu}",
                  a->term, a->prev_log_index, a->prev_log_term, a->leader_commit);
    cJSON_AddItemToObject(out, "Entries", entries(a->entries, 0, a->n_entries, a->n_entries));
    return out;
}

static const char *server(raft_id id) { return id == 0 ? "'None'" : names[id - 1]; }

static const char *role(const struct raft *r)
{
    static const char *const roles[] = {"Unavailable", "Follower", "Candidate", "Leader"};
    return r->state == RAFT_CANDIDATE && r->candidate_state.in_pre_vote ? "PreCandidate" : roles[r->state];
}

static cJSON *node(int i)
{
    const struct node *n = nodes[i];
    const struct raft *r = &n->raft;
    const struct disk *d = &disks[i];
    bool asks = r->state == RAFT_CANDIDATE, leads = r->state == RAFT_LEADER;
    cJSON *out = mg_json("{'Term': %llu, 'Vote': %s, 'Stored': %llu, 'Role': '%s', 'Lead': %s, 'Commit': %llu, 'Applied': %llu, 'Done': []}",
        r->current_term, server(r->voted_for), r->last_stored, role(r),
        server(r->state == RAFT_FOLLOWER ? r->follower_state.current_leader.id : 0), r->commit_index, r->last_applied);
    cJSON_AddItemToObject(out, "Disk", entries(d->entries, 0, d->n, LOG));
    cJSON_AddItemToObject(out, "Log", entries(r->log.entries, r->log.front, (r->log.back + r->log.size - r->log.front) % r->log.size, r->log.size));
    for (int k = 0; k < n->done.n; k++) {
        mg_rows(out, mg_json("{'Done': %d}", *(unsigned char *)n->done.items[k]));
    }
    for (int j = 0; j < n_nodes; j++) {
        static const struct raft_progress none;
        const struct raft_progress *p = leads ? &r->leader_state.progress[j] : &none;
        bool other = leads && j != i;
        mg_rows(out, mg_json("{'Votes': %s, 'Next': %llu, 'Match': %llu, 'Pipeline': %s, 'Heard': %s, 'Due': %s}",
            mg_bool(asks && r->candidate_state.votes[j]), other ? p->next_index : 0, p->match_index, mg_bool(p->state != 0),
            mg_bool(p->recent_recv), mg_bool(other && n->now - p->last_send >= HEARTBEAT)));
    }
    if (r->current_term != d->term || r->voted_for != d->vote) {
        mg_fail("node %d has another term or vote on its disk", i);
    }
    return out;
}

static const struct mg_action actions[] = {{"Timeout", time_out}, {"CheckQuorum", time_out}, {"Beat", beat}, {"Pass", pass},
    {"HandleVote", deliver}, {"HandleVoteResult", deliver}, {"HandleAppend", deliver}, {"HandleAck", deliver}, {"Propose", propose},
    {"CompleteWrite", NULL}, {"Restart", restart}, {"Cut", cut}, {"Heal", heal}, {NULL, NULL}};
static const char *const variables[] = {"Term", "Vote", "Disk", "Log", "Stored", "Role", "Lead", "Commit", "Applied", "Done",
    "Votes", "Next", "Match", "Pipeline", "Heard", "Due", NULL};
static const char *const needs[] = {"Proposed", NULL};

int main(void)
{
    static const struct mg_driver driver = {.name = "libraft", .version = "0.15.0", .nodes = NODES, .actions = actions,
        .variables = variables, .network = "Net", .needs = needs, .raises = true, .begin = begin, .reset = reset,
        .settle = settle, .node = node, .show = show};
    return mg_serve(&driver);
}
