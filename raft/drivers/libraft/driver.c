/* Unmodified libraft nodes in one process, with a struct raft_io of the driver.
 *
 * Time is that of the steps. A write waits for a step, if the composition has CompleteWrite, and is
 * complete at the end of a step otherwise. What the library allocates lives until the next reset,
 * and so a crash forgets a node as it is. */

#include <raft.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../checker/conform/drivers/c/multigrain.h"

enum { NODES = 9, LOG = 64, QUEUE = 64, ELECTION = 1000000, HEARTBEAT = 100 };

struct write {
    struct raft_io_append *request;
    raft_io_append_cb done;
    raft_index first;
    struct raft_entry entries[LOG];
    unsigned n;
};

struct sent {
    struct raft_io_send *request;
    raft_io_send_cb done;
    int status;
};

struct node {
    struct raft raft;
    struct raft_io io;
    struct raft_fsm fsm;
    raft_time now;
    raft_io_tick_cb tick;
    raft_io_recv_cb receive;
    struct write writes[QUEUE];
    struct sent sent[QUEUE];
    unsigned n_writes, n_sent, n_done;
    unsigned char done[LOG];
    raft_index end; /* of the log, when all writes are complete */
};

/* What a crash leaves. */
struct disk {
    raft_term term;
    raft_id vote;
    struct raft_entry entries[LOG];
    size_t n;
};

static struct node *nodes[NODES];
static struct disk disks[NODES];
static int n_nodes;
static struct mg_network *network;
static bool pre_vote, waits;
static bool to_nobody; /* a message was sent to server 0 in this step */
static struct raft_configuration all;

/* The memory of the library, freed by reset. */
struct block {
    struct block *next;
    size_t size;
    max_align_t data[];
};
static struct block *blocks;

static void *take(void *data, size_t size)
{
    struct block *b = calloc(1, sizeof *b + size);
    (void)data;
    if (b == NULL) {
        abort();
    }
    b->next = blocks;
    b->size = size;
    blocks = b;
    return b->data;
}

static void *take_many(void *data, size_t n, size_t size)
{
    return take(data, n * size);
}

static void *take_more(void *data, void *old, size_t size)
{
    void *p = take(data, size);
    if (old != NULL) {
        const struct block *b = (struct block *)((char *)old - offsetof(struct block, data));
        memcpy(p, old, b->size < size ? b->size : size);
    }
    return p;
}

static void *take_aligned(void *data, size_t alignment, size_t size)
{
    return alignment <= _Alignof(max_align_t) ? take(data, size) : NULL;
}

static void keep(void *data, void *p)
{
    (void)data;
    (void)p;
}

static void keep_aligned(void *data, size_t alignment, void *p)
{
    (void)alignment;
    keep(data, p);
}

static struct raft_heap heap = {NULL, take, keep, take_many, take_more, take_aligned, keep_aligned};

/* Copies entries into memory of the library: one batch, as its own transport and disk have them. */
static void copy(struct raft_entry *to, const struct raft_entry *from, unsigned n)
{
    size_t size = 0;
    char *batch;
    for (unsigned k = 0; k < n; k++) {
        size += from[k].buf.len;
    }
    batch = raft_malloc(size);
    for (unsigned k = 0; k < n; k++) {
        to[k] = from[k];
        to[k].batch = batch;
        to[k].buf.base = memcpy(batch + (size -= from[k].buf.len), from[k].buf.base, from[k].buf.len);
    }
}

static int index_of(const struct raft_io *io)
{
    int i = 0;
    while (&nodes[i]->io != io) {
        i++;
    }
    return i;
}

/* An entry as the specification has it. The payload of a command is its number. */
static cJSON *entry(const struct raft_entry *e)
{
    cJSON *out = cJSON_CreateObject();
    cJSON_AddNumberToObject(out, "Term", (double)e->term);
    cJSON_AddNumberToObject(out, "Value", e->type == RAFT_COMMAND ? *(const unsigned char *)e->buf.base : 0);
    return out;
}

static cJSON *entries(const struct raft_entry *list, size_t n)
{
    cJSON *out = cJSON_CreateArray();
    for (size_t k = 0; k < n; k++) {
        cJSON_AddItemToArray(out, entry(&list[k]));
    }
    return out;
}

static void command(struct raft_buffer *buf, int value)
{
    buf->len = 8;
    buf->base = raft_calloc(1, buf->len);
    *(unsigned char *)buf->base = (unsigned char)value;
}

/* The part of raft_io. */

static int io_init(struct raft_io *io, raft_id id, const char *address)
{
    (void)io, (void)id, (void)address;
    return 0;
}

static int io_bootstrap(struct raft_io *io, const struct raft_configuration *conf)
{
    struct disk *d = &disks[index_of(io)];
    d->term = 1;
    d->n = 1;
    d->entries[0] = (struct raft_entry){.term = 1, .type = RAFT_CHANGE};
    return raft_configuration_encode(conf, &d->entries[0].buf);
}

static int io_load(struct raft_io *io, raft_term *term, raft_id *vote, struct raft_snapshot **snapshot, raft_index *start,
                   struct raft_entry **list, size_t *n)
{
    const struct disk *d = &disks[index_of(io)];
    *term = d->term;
    *vote = d->vote;
    *snapshot = NULL;
    *start = 1;
    *n = d->n;
    *list = raft_malloc(d->n * sizeof **list);
    copy(*list, d->entries, (unsigned)d->n);
    return 0;
}

static int io_start(struct raft_io *io, unsigned msecs, raft_io_tick_cb tick, raft_io_recv_cb receive)
{
    struct node *n = nodes[index_of(io)];
    (void)msecs;
    n->tick = tick;
    n->receive = receive;
    return 0;
}

static int io_set_term(struct raft_io *io, raft_term term)
{
    disks[index_of(io)].term = term;
    disks[index_of(io)].vote = 0;
    return 0;
}

static int io_set_vote(struct raft_io *io, raft_id vote)
{
    disks[index_of(io)].vote = vote;
    return 0;
}

static int io_append(struct raft_io *io, struct raft_io_append *request, const struct raft_entry *list, unsigned n, raft_io_append_cb done)
{
    struct node *node = nodes[index_of(io)];
    struct write *w = &node->writes[node->n_writes];
    if (node->n_writes == QUEUE || n > LOG) {
        mg_refuse("too many writes wait");
        return RAFT_NOSPACE;
    }
    node->n_writes++;
    *w = (struct write){.request = request, .done = done, .first = node->end + 1, .n = n};
    copy(w->entries, list, n);
    node->end += n;
    return 0;
}

/* The write that follows drops the end of the log. */
static int io_truncate(struct raft_io *io, raft_index index)
{
    nodes[index_of(io)]->end = index - 1;
    return 0;
}

static cJSON *message(const struct raft_message *m)
{
    static const char *const kinds[] = {"", "AppendEntries", "AppendEntriesResult", "RequestVote", "RequestVoteResult"};
    cJSON *out = cJSON_CreateObject();
    if (m->type > RAFT_IO_REQUEST_VOTE_RESULT) {
        mg_fail("the library sends a message of type %d", m->type);
        return out;
    }
    cJSON_AddStringToObject(out, "Kind", kinds[m->type]);
    switch (m->type) {
    case RAFT_IO_REQUEST_VOTE:
        cJSON_AddNumberToObject(out, "Term", (double)m->request_vote.term);
        cJSON_AddNumberToObject(out, "Index", (double)m->request_vote.last_log_index);
        cJSON_AddNumberToObject(out, "LogTerm", (double)m->request_vote.last_log_term);
        cJSON_AddBoolToObject(out, "PreVote", m->request_vote.pre_vote);
        break;
    case RAFT_IO_REQUEST_VOTE_RESULT:
        cJSON_AddNumberToObject(out, "Term", (double)m->request_vote_result.term);
        cJSON_AddBoolToObject(out, "PreVote", m->request_vote_result.pre_vote == raft_tribool_true);
        cJSON_AddBoolToObject(out, "Granted", m->request_vote_result.vote_granted);
        break;
    case RAFT_IO_APPEND_ENTRIES:
        cJSON_AddNumberToObject(out, "Term", (double)m->append_entries.term);
        cJSON_AddNumberToObject(out, "Index", (double)m->append_entries.prev_log_index);
        cJSON_AddNumberToObject(out, "LogTerm", (double)m->append_entries.prev_log_term);
        cJSON_AddNumberToObject(out, "Commit", (double)m->append_entries.leader_commit);
        cJSON_AddItemToObject(out, "Entries", entries(m->append_entries.entries, m->append_entries.n_entries));
        break;
    default:
        cJSON_AddNumberToObject(out, "Term", (double)m->append_entries_result.term);
        cJSON_AddNumberToObject(out, "Index", (double)m->append_entries_result.last_log_index);
        cJSON_AddNumberToObject(out, "Rejected", (double)m->append_entries_result.rejected);
    }
    return out;
}

static int io_send(struct raft_io *io, struct raft_io_send *request, const struct raft_message *m, raft_io_send_cb done)
{
    int i = index_of(io);
    struct sent *s = &nodes[i]->sent[nodes[i]->n_sent];
    if (nodes[i]->n_sent == QUEUE) {
        mg_refuse("too many messages wait");
        return RAFT_NOCONNECTION;
    }
    nodes[i]->n_sent++;
    *s = (struct sent){request, done, RAFT_NOCONNECTION};
    if (m->server_id == 0) {
        to_nobody = true;
    } else if (mg_send(network, i, (int)m->server_id - 1, message(m))) {
        s->status = 0;
    }
    return 0;
}

static int io_put(struct raft_io *io, unsigned trailing, struct raft_io_snapshot_put *request, const struct raft_snapshot *snapshot,
                  raft_io_snapshot_put_cb done)
{
    (void)io, (void)trailing, (void)request, (void)snapshot, (void)done;
    mg_refuse("this driver has no snapshots");
    return RAFT_IOERR;
}

static int io_get(struct raft_io *io, struct raft_io_snapshot_get *request, raft_io_snapshot_get_cb done)
{
    (void)io, (void)request, (void)done;
    mg_refuse("this driver has no snapshots");
    return RAFT_IOERR;
}

static raft_time io_time(struct raft_io *io)
{
    return nodes[index_of(io)]->now;
}

static int io_random(struct raft_io *io, int min, int max)
{
    (void)io, (void)max;
    return min;
}

static int apply(struct raft_fsm *fsm, const struct raft_buffer *buf, void **result)
{
    struct node *n = fsm->data;
    *result = NULL;
    if (n->n_done < LOG) {
        n->done[n->n_done++] = *(unsigned char *)buf->base;
    }
    return 0;
}

/* Does what the transport and the disk do after a call of the library. */
static void settle(int i, bool write)
{
    struct node *n = nodes[i];
    while (n->n_sent > 0 || (write && n->n_writes > 0)) {
        if (n->n_sent > 0) {
            struct sent s = n->sent[0];
            memmove(n->sent, n->sent + 1, --n->n_sent * sizeof s);
            s.done(s.request, s.status);
        } else {
            struct write w = n->writes[0];
            memmove(n->writes, n->writes + 1, --n->n_writes * sizeof w);
            memcpy(disks[i].entries + w.first - 1, w.entries, w.n * sizeof *w.entries);
            disks[i].n = w.first - 1 + w.n;
            w.done(w.request, 0);
            write = !waits;
        }
    }
}

static void start(int i)
{
    struct node *n = nodes[i] = take(NULL, sizeof *n);
    char address[16];
    int rv;
    snprintf(address, sizeof address, "%d", i + 1);
    n->now = ELECTION;
    n->fsm = (struct raft_fsm){.version = 1, .data = n, .apply = apply};
    n->io = (struct raft_io){.version = 1, .impl = n, .init = io_init, .load = io_load, .start = io_start, .bootstrap = io_bootstrap,
        .set_term = io_set_term, .set_vote = io_set_vote, .send = io_send, .append = io_append, .truncate = io_truncate,
        .snapshot_put = io_put, .snapshot_get = io_get, .time = io_time, .random = io_random};
    rv = raft_init(&n->raft, &n->io, &n->fsm, (raft_id)i + 1, address);
    if (rv == 0 && disks[i].n == 0) {
        rv = raft_bootstrap(&n->raft, &all);
    }
    raft_set_election_timeout(&n->raft, ELECTION);
    raft_set_heartbeat_timeout(&n->raft, HEARTBEAT);
    raft_set_pre_vote(&n->raft, pre_vote);
    n->end = disks[i].n;
    if (rv == 0) {
        rv = raft_start(&n->raft);
    }
    if (rv != 0) {
        mg_fail("node %d does not start: %s", i, raft_strerror(rv));
    }
}

/* The functions of the driver. */

static void begin(const cJSON *settings, const cJSON *actions)
{
    const char *pre = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(settings, "prevote"));
    pre_vote = pre != NULL && strcmp(pre, "true") == 0;
    waits = mg_lists(actions, "CompleteWrite");
    raft_heap_set(&heap);
}

static void reset(int n)
{
    if (n > NODES) {
        mg_refuse("this driver has at most %d nodes", NODES);
        return;
    }
    while (blocks != NULL) {
        struct block *b = blocks;
        blocks = b->next;
        free(b);
    }
    mg_network_free(network);
    network = mg_network_new(n_nodes = n);
    memset(disks, 0, sizeof disks);
    raft_configuration_init(&all);
    for (int i = 0; i < n; i++) {
        char address[16];
        snprintf(address, sizeof address, "%d", i + 1);
        raft_configuration_add(&all, (raft_id)i + 1, address, RAFT_VOTER);
    }
    for (int i = 0; i < n; i++) {
        start(i);
    }
}

/* Returns a message of the network to the library, from j. */
static void deliver(int i, int j)
{
    cJSON *m = mg_receive(network, j, i, 1);
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(m, "Kind"));
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(m, "Entries"), *e;
    raft_term term = (raft_term)mg_number(m, "Term"), log_term = (raft_term)mg_number(m, "LogTerm");
    raft_index at = (raft_index)mg_number(m, "Index");
    bool pre = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(m, "PreVote"));
    char address[16];
    struct raft_message in = {.server_id = (raft_id)j + 1, .server_address = address};
    if (kind == NULL) {
        return;
    }
    snprintf(address, sizeof address, "%d", j + 1);
    if (strcmp(kind, "RequestVote") == 0) {
        in.type = RAFT_IO_REQUEST_VOTE;
        in.request_vote = (struct raft_request_vote){.term = term, .candidate_id = in.server_id, .last_log_index = at, .last_log_term = log_term, .pre_vote = pre};
    } else if (strcmp(kind, "RequestVoteResult") == 0) {
        in.type = RAFT_IO_REQUEST_VOTE_RESULT;
        in.request_vote_result = (struct raft_request_vote_result){
            .term = term, .vote_granted = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(m, "Granted")), .pre_vote = TO_RAFT_TRIBOOL(pre)};
    } else if (strcmp(kind, "AppendEntriesResult") == 0) {
        in.type = RAFT_IO_APPEND_ENTRIES_RESULT;
        in.append_entries_result = (struct raft_append_entries_result){.term = term, .rejected = (raft_index)mg_number(m, "Rejected"), .last_log_index = at};
    } else {
        struct raft_entry read[LOG];
        unsigned n = 0;
        in.type = RAFT_IO_APPEND_ENTRIES;
        in.append_entries = (struct raft_append_entries){.term = term, .prev_log_index = at, .prev_log_term = log_term, .leader_commit = (raft_index)mg_number(m, "Commit")};
        cJSON_ArrayForEach(e, list) {
            int value = mg_number(e, "Value");
            read[n] = (struct raft_entry){.term = (raft_term)mg_number(e, "Term"), .type = value == 0 ? RAFT_CHANGE : RAFT_COMMAND};
            if (value == 0) {
                raft_configuration_encode(&all, &read[n].buf);
            } else {
                command(&read[n].buf, value);
            }
            n++;
        }
        if (n > 0) {
            in.append_entries.n_entries = n;
            in.append_entries.entries = raft_malloc(n * sizeof *read);
            copy(in.append_entries.entries, read, n);
        }
    }
    cJSON_Delete(m);
    nodes[i]->receive(&nodes[i]->io, &in);
}

static void both_ways(void (*act)(struct mg_network *, int, int), int i, int j)
{
    act(network, i, j);
    act(network, j, i);
}

static void propose(int i, int value)
{
    struct raft_buffer buf;
    struct raft_apply *request = raft_malloc(sizeof *request);
    int rv;
    command(&buf, value);
    rv = raft_apply(&nodes[i]->raft, request, &buf, 1, NULL);
    if (rv != 0) {
        mg_fail("the library refuses the command: %s", raft_strerror(rv));
    }
}

static void act(const struct mg_step *step)
{
    int i = mg_number(step->params, "I"), j = mg_number(step->params, "J");
    struct node *n = nodes[i];
    const char *action = step->action;
    to_nobody = false;
    if (strcmp(action, "Timeout") == 0 || strcmp(action, "CheckQuorum") == 0) {
        n->now += ELECTION;
        n->tick(&n->io);
    } else if (strcmp(action, "Beat") == 0) {
        n->now += HEARTBEAT;
        n->tick(&n->io);
    } else if (strcmp(action, "Pass") == 0) {
        n->now += HEARTBEAT;
    } else if (strcmp(action, "Propose") == 0) {
        propose(i, mg_number(step->after, "Proposed"));
    } else if (strcmp(action, "Restart") == 0) {
        for (j = 0; j < n_nodes; j++) {
            both_ways(mg_clear, i, j);
        }
        start(i);
    } else if (strcmp(action, "Cut") == 0) {
        both_ways(mg_cut, i, j);
    } else if (strcmp(action, "Heal") == 0) {
        both_ways(mg_heal, i, j);
    } else if (strcmp(action, "CompleteWrite") != 0) {
        deliver(i, j);
    }
    settle(i, !waits || strcmp(action, "CompleteWrite") == 0);
}

static void step(const struct mg_step *s)
{
    act(s);
    if (to_nobody) {
        mg_fail("the library sends a message to server 0, at no address");
    }
}

static void check(const struct mg_step *s)
{
    act(s);
    if (!to_nobody) {
        mg_fail("the library sends no message to server 0");
    }
}

static cJSON *server(raft_id id)
{
    return id == 0 ? cJSON_CreateString("None") : cJSON_CreateNumber((double)id - 1);
}

static const char *role(const struct raft *r)
{
    switch (r->state) {
    case RAFT_FOLLOWER:
        return "Follower";
    case RAFT_CANDIDATE:
        return r->candidate_state.in_pre_vote ? "PreCandidate" : "Candidate";
    case RAFT_LEADER:
        return "Leader";
    }
    return "Unavailable";
}

static cJSON *log_of(const struct raft_log *l)
{
    cJSON *out = cJSON_CreateArray();
    for (size_t k = l->front; k != l->back; k = (k + 1) % l->size) {
        cJSON_AddItemToArray(out, entry(&l->entries[k]));
    }
    return out;
}

static void about_others(cJSON *out, int i)
{
    static const char *const names[] = {"Votes", "Next", "Match", "Pipeline", "Heard", "Due"};
    const struct raft *r = &nodes[i]->raft;
    cJSON *rows[6];
    for (int v = 0; v < 6; v++) {
        rows[v] = cJSON_CreateArray();
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, names[v]), rows[v]);
    }
    for (int j = 0; j < n_nodes; j++) {
        static const struct raft_progress none;
        bool leads = r->state == RAFT_LEADER, other = leads && j != i;
        const struct raft_progress *p = leads ? &r->leader_state.progress[j] : &none;
        cJSON_AddItemToArray(rows[0], cJSON_CreateBool(r->state == RAFT_CANDIDATE && r->candidate_state.votes[j]));
        mg_add(rows[1], other ? (double)p->next_index : 0);
        mg_add(rows[2], (double)p->match_index);
        cJSON_AddItemToArray(rows[3], cJSON_CreateBool(p->state != 0));
        cJSON_AddItemToArray(rows[4], cJSON_CreateBool(p->recent_recv));
        cJSON_AddItemToArray(rows[5], cJSON_CreateBool(other && nodes[i]->now - p->last_send >= HEARTBEAT));
    }
}

static const char *const variables[] = {"Term", "Vote", "Disk", "Log", "Stored", "Role", "Lead", "Commit", "Applied", "Done",
    "Votes", "Next", "Match", "Pipeline", "Heard", "Due", "Net", NULL};

static cJSON *observe(void)
{
    cJSON *out = cJSON_CreateObject();
    for (int v = 0; strcmp(variables[v], "Net") != 0; v++) {
        cJSON_AddArrayToObject(out, variables[v]);
    }
    for (int i = 0; i < n_nodes; i++) {
        const struct raft *r = &nodes[i]->raft;
        cJSON *done = cJSON_CreateArray();
        for (unsigned k = 0; k < nodes[i]->n_done; k++) {
            mg_add(done, nodes[i]->done[k]);
        }
        if (r->current_term != disks[i].term || r->voted_for != disks[i].vote) {
            mg_fail("node %d has another term or vote on its disk", i);
        }
        mg_add(cJSON_GetObjectItemCaseSensitive(out, "Term"), (double)r->current_term);
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, "Vote"), server(r->voted_for));
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, "Disk"), entries(disks[i].entries, disks[i].n));
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, "Log"), log_of(&r->log));
        mg_add(cJSON_GetObjectItemCaseSensitive(out, "Stored"), (double)r->last_stored);
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, "Role"), cJSON_CreateString(role(r)));
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, "Lead"), server(r->state == RAFT_FOLLOWER ? r->follower_state.current_leader.id : 0));
        mg_add(cJSON_GetObjectItemCaseSensitive(out, "Commit"), (double)r->commit_index);
        mg_add(cJSON_GetObjectItemCaseSensitive(out, "Applied"), (double)r->last_applied);
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, "Done"), done);
        about_others(out, i);
    }
    cJSON_AddItemToObject(out, "Net", mg_observed(network));
    return out;
}

static const char *const actions[] = {"Timeout", "HandleVote", "HandleVoteResult", "Propose", "Beat", "Pass", "CheckQuorum", "HandleAppend",
    "HandleAck", "CompleteWrite", "Restart", "Cut", "Heal", NULL};
static const char *const needs[] = {"Proposed", NULL};

int main(void)
{
    static const struct mg_driver driver = {.name = "libraft", .version = "0.15.0", .actions = actions, .variables = variables, .needs = needs,
        .begin = begin, .reset = reset, .step = step, .check = check, .observe = observe};
    return mg_serve(&driver);
}
