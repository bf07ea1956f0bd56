#include "multigrain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The driver that is served, and the number of its nodes. */
static const struct mg_driver *served;
static int nodes;

/* The first thing that was said of the request by mg_refuse or mg_fail, and which of them. */
static char said[1024];
static const char *fault;
/* What mg_raise said first. Empty: nothing. */
static char raised[1024];

static void *found(void *p)
{
    if (p == NULL) {
        fprintf(stderr, "no memory is left\n");
        abort();
    }
    return p;
}

static void say(const char *what, const char *format, va_list args)
{
    if (fault == NULL) {
        fault = what;
        vsnprintf(said, sizeof said, format, args);
    }
}

void mg_refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("refused", format, args);
    va_end(args);
}

void mg_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("failed", format, args);
    va_end(args);
}

void mg_raise(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (raised[0] == '\0') {
        vsnprintf(raised, sizeof raised, format, args);
    }
    va_end(args);
}

/* Values. */

cJSON *mg_json(const char *format, ...)
{
    va_list args;
    char *text;
    cJSON *out;
    int size;
    va_start(args, format);
    size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    text = found(malloc((size_t)size + 1));
    va_start(args, format);
    vsnprintf(text, (size_t)size + 1, format, args);
    va_end(args);
    for (char *c = text; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    out = cJSON_Parse(text);
    if (out == NULL) {
        fprintf(stderr, "the driver writes what is no JSON: %s\n", text);
        abort();
    }
    free(text);
    return out;
}

const char *mg_bool(bool b) { return b ? "true" : "false"; }

void mg_rows(cJSON *rows, cJSON *record)
{
    while (record->child != NULL) {
        cJSON *field = cJSON_DetachItemViaPointer(record, record->child);
        cJSON *row = cJSON_GetObjectItemCaseSensitive(rows, field->string);
        if (row == NULL) {
            row = cJSON_AddArrayToObject(rows, field->string);
        }
        cJSON_AddItemToArray(row, field);
    }
    cJSON_Delete(record);
}

int mg_number(const cJSON *object, const char *name)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(v) ? v->valueint : 0;
}

const char *mg_text(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text != NULL ? text : "";
}

bool mg_lists(const cJSON *list, const char *text)
{
    const cJSON *v;
    cJSON_ArrayForEach(v, list) {
        if (cJSON_IsString(v) && strcmp(v->valuestring, text) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether pairs are a map from 0, 1, 2, ... */
static bool counts(const cJSON *pairs)
{
    int k = 0;
    const cJSON *pair;
    cJSON_ArrayForEach(pair, pairs) {
        const cJSON *key = cJSON_GetArrayItem(pair, 0);
        if (!cJSON_IsNumber(key) || key->valueint != k++) {
            return false;
        }
    }
    return true;
}

/* Returns a value of ITF with numbers as numbers, and sets and maps from 0, 1, 2, ... as lists. */
static cJSON *value(const cJSON *v)
{
    const cJSON *inner = v->child, *x;
    cJSON *out;
    if (!cJSON_IsArray(v) && !cJSON_IsObject(v)) {
        return cJSON_Duplicate(v, true);
    }
    if (cJSON_IsObject(v) && inner != NULL && inner->next == NULL && inner->string[0] == '#') {
        if (strcmp(inner->string, "#bigint") == 0 && cJSON_IsString(inner)) {
            return cJSON_CreateNumber(atof(inner->valuestring));
        }
        out = value(inner);
        if (strcmp(inner->string, "#map") == 0 && counts(out)) {
            cJSON *list = cJSON_CreateArray();
            while (out->child != NULL) {
                cJSON *pair = cJSON_DetachItemFromArray(out, 0);
                cJSON_AddItemToArray(list, cJSON_DetachItemFromArray(pair, 1));
                cJSON_Delete(pair);
            }
            cJSON_Delete(out);
            return list;
        }
        return out;
    }
    out = cJSON_IsArray(v) ? cJSON_CreateArray() : cJSON_CreateObject();
    cJSON_ArrayForEach(x, v) {
        if (cJSON_IsArray(v)) {
            cJSON_AddItemToArray(out, value(x));
        } else {
            cJSON_AddItemToObject(out, x->string, value(x));
        }
    }
    return out;
}

/* Memory: a list of blocks, which a reset frees. */

struct block {
    struct block *next;
    size_t size;
    max_align_t data[];
};
static struct block *blocks;

void *mg_memory(size_t size)
{
    struct block *b = found(calloc(1, sizeof *b + size));
    b->next = blocks;
    b->size = size;
    blocks = b;
    return b->data;
}

void *mg_copy(const void *data, size_t size) { return memcpy(mg_memory(size), data, size); }

void *mg_resize(void *old, size_t size)
{
    void *p = mg_memory(size);
    if (old != NULL) {
        const struct block *b = (struct block *)((char *)old - offsetof(struct block, data));
        memcpy(p, old, b->size < size ? b->size : size);
    }
    return p;
}

static void forget(void)
{
    while (blocks != NULL) {
        struct block *b = blocks;
        blocks = b->next;
        free(b);
    }
}

void mg_put(struct mg_queue *queue, void *item)
{
    if (queue->n == queue->most) {
        queue->most = 2 * queue->most + 4;
        queue->items = mg_resize(queue->items, (size_t)queue->most * sizeof *queue->items);
    }
    queue->items[queue->n++] = item;
}

void *mg_take(struct mg_queue *queue, int k)
{
    void *item;
    if (k < 1 || k > queue->n) {
        return NULL;
    }
    item = queue->items[k - 1];
    memmove(queue->items + k - 1, queue->items + k, (size_t)(queue->n - k) * sizeof item);
    queue->n--;
    return item;
}

/* The network. */

static struct channel {
    struct mg_queue messages;
    bool broken;
} *channels;

static struct channel *channel(int i, int j)
{
    static struct channel none;
    if (i < 0 || i >= nodes || j < 0 || j >= nodes) {
        mg_refuse("there is no channel from %d to %d", i, j);
        none = (struct channel){0};
        return &none;
    }
    return &channels[i * nodes + j];
}

bool mg_send(int i, int j, void *message)
{
    struct channel *c = channel(i, j);
    if (!c->broken) {
        mg_put(&c->messages, message);
    }
    return !c->broken;
}

void *mg_receive(int i, int j, int k)
{
    void *message = mg_take(&channel(i, j)->messages, k);
    if (message == NULL) {
        mg_refuse("from %d to %d there is no message %d", i, j, k);
    }
    return message;
}

void mg_duplicate(int i, int j, int k)
{
    struct mg_queue *q = &channel(i, j)->messages;
    if (k < 1 || k > q->n) {
        mg_refuse("from %d to %d there is no message %d", i, j, k);
        return;
    }
    mg_put(q, q->items[k - 1]);
}

void mg_clear(int i, int j) { channel(i, j)->messages.n = 0; }

void mg_clear_all(int i)
{
    for (int j = 0; j < nodes; j++) {
        mg_clear(i, j);
        mg_clear(j, i);
    }
}

void mg_cut(int i, int j)
{
    mg_clear(i, j);
    mg_clear(j, i);
    channel(i, j)->broken = channel(j, i)->broken = true;
}

void mg_heal(int i, int j) { channel(i, j)->broken = channel(j, i)->broken = false; }

/* The channels as a Net or a Bag of the specification has them. */
static cJSON *network(void)
{
    cJSON *out = cJSON_CreateArray();
    for (int c = 0; c < nodes * nodes; c++) {
        const struct mg_queue *q = &channels[c].messages;
        cJSON *messages = cJSON_CreateArray();
        if (c % nodes == 0) {
            cJSON_AddItemToArray(out, cJSON_CreateArray());
        }
        for (int k = 0; k < q->n; k++) {
            cJSON_AddItemToArray(messages, served->show(q->items[k]));
        }
        if (channels[c].broken) {
            cJSON *cut = mg_json("{'cut': true}");
            cJSON_AddItemToObject(cut, "messages", messages);
            messages = cut;
        }
        cJSON_AddItemToArray(cJSON_GetArrayItem(out, c / nodes), messages);
    }
    return out;
}

/* Requests. */

/* Returns a part of a request. The caller deletes it. */
static cJSON *part(const cJSON *request, const char *name)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(request, name);
    return v != NULL ? value(v) : cJSON_CreateObject();
}

static cJSON *texts(const char *const *list)
{
    cJSON *out = cJSON_CreateArray();
    for (; list != NULL && *list != NULL; list++) {
        cJSON_AddItemToArray(out, cJSON_CreateString(*list));
    }
    return out;
}

static void hello(const cJSON *request, cJSON *ok)
{
    cJSON *actions = cJSON_AddArrayToObject(ok, "actions"), *variables = texts(served->variables);
    const char *version = served->version;
    if (served->begin != NULL) {
        cJSON *settings = part(request, "settings"), *all = part(request, "actions");
        served->begin(settings, all);
        cJSON_Delete(settings);
        cJSON_Delete(all);
    }
    for (const struct mg_action *a = served->actions; a->name != NULL; a++) {
        cJSON_AddItemToArray(actions, cJSON_CreateString(a->name));
    }
    if (served->network != NULL) {
        cJSON_AddItemToArray(variables, cJSON_CreateString(served->network));
    }
    cJSON_AddItemToObject(ok, "variables", variables);
    cJSON_AddItemToObject(ok, "needs", texts(served->needs));
    cJSON_AddNumberToObject(ok, "protocol", MG_PROTOCOL);
    cJSON_AddStringToObject(ok, "name", served->name);
    cJSON_AddStringToObject(ok, "version", version != NULL ? version : mg_text(request, "version"));
    cJSON_AddBoolToObject(ok, "asserts", served->raises);
}

static void reset(int n)
{
    if (n < 0 || (served->nodes > 0 && n > served->nodes)) {
        mg_refuse("this driver has at most %d nodes", served->nodes);
        return;
    }
    forget();
    nodes = n;
    channels = mg_memory(sizeof *channels * (size_t)(n * n));
    served->reset(n);
}

static void step(const cJSON *request, bool asserts)
{
    const struct mg_action *a = served->actions;
    cJSON *params = part(request, "params"), *before = part(request, "before"), *after = part(request, "after");
    struct mg_step s = {
        .action = mg_text(request, "action"), .params = params, .before = before, .after = after,
        .i = mg_number(params, "I"), .j = mg_number(params, "J"), .k = cJSON_HasObjectItem(params, "K") ? mg_number(params, "K") : 1,
    };
    while (a->name != NULL && strcmp(a->name, s.action) != 0) {
        a++;
    }
    if (a->name == NULL) {
        mg_refuse("this driver has no action %s", s.action);
    } else if (asserts && !served->raises) {
        mg_refuse("this driver follows no assertions");
    } else if (s.i < 0 || s.i >= nodes || s.j < 0 || s.j >= nodes) {
        mg_refuse("there is no node %d or %d", s.i, s.j);
    } else {
        if (a->act != NULL) {
            a->act(&s);
        }
        if (served->settle != NULL) {
            served->settle(&s);
        }
        if (asserts && raised[0] == '\0') {
            mg_fail("no assertion of the implementation fails");
        }
    }
    if (raised[0] != '\0' && !asserts) {
        mg_fail("%s", raised);
    }
    cJSON_Delete(params);
    cJSON_Delete(before);
    cJSON_Delete(after);
}

static cJSON *observe(void)
{
    cJSON *out = cJSON_CreateObject();
    for (int i = 0; served->node != NULL && i < nodes; i++) {
        mg_rows(out, served->node(i));
    }
    if (served->observe != NULL) {
        served->observe(out);
    }
    if (served->network != NULL) {
        cJSON_AddItemToObject(out, served->network, network());
    }
    return out;
}

/* Does what a request asks, with its answer in ok. */
static void answer(const char *what, const cJSON *request, cJSON *ok)
{
    if (strcmp(what, "hello") == 0) {
        hello(request, ok);
    } else if (strcmp(what, "reset") == 0) {
        reset(mg_number(request, "nodes"));
    } else if (strcmp(what, "step") == 0 || strcmp(what, "assert") == 0) {
        step(request, what[0] == 'a');
    } else if (strcmp(what, "observe") == 0) {
        cJSON_AddItemToObject(ok, "variables", observe());
    } else if (strcmp(what, "log") == 0) {
        cJSON_AddArrayToObject(ok, "lines");
    } else if (strcmp(what, "stop") != 0) {
        mg_refuse("this driver does not know the request %s", what);
    }
}

int mg_serve(const struct mg_driver *driver)
{
    char *line = NULL;
    size_t size = 0;
    bool stopped = false;
    FILE *out = fdopen(dup(STDOUT_FILENO), "w");
    served = driver;
    if (out == NULL || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        perror("standard output");
        return 1;
    }
    while (!stopped && getline(&line, &size, stdin) > 0) {
        cJSON *request = cJSON_Parse(line), *result = cJSON_CreateObject(), *ok = cJSON_CreateObject();
        const char *what = mg_text(request, "do");
        char *text;
        if (what[0] == '\0') {
            fprintf(stderr, "this is no request: %s", line);
            return 1;
        }
        fault = NULL;
        raised[0] = '\0';
        answer(what, request, ok);
        stopped = strcmp(what, "stop") == 0;
        cJSON_AddNumberToObject(result, "id", mg_number(request, "id"));
        if (fault != NULL) {
            cJSON_AddStringToObject(result, fault, said);
            cJSON_Delete(ok);
        } else {
            cJSON_AddItemToObject(result, "ok", ok);
        }
        text = found(cJSON_PrintUnformatted(result));
        if (fprintf(out, "%s\n", text) < 0 || fflush(out) != 0) {
            perror("standard output");
            return 1;
        }
        free(text);
        cJSON_Delete(request);
        cJSON_Delete(result);
    }
    free(line);
    return 0;
}
