#include "multigrain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first thing that mg_refuse or mg_fail said of the request, and which of them. */
static char said[1024];
static const char *fault;

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

int mg_number(const cJSON *object, const char *name)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(v) ? v->valueint : 0;
}

bool mg_has(const char *const *list, const char *text)
{
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp(*list, text) == 0) {
            return true;
        }
    }
    return false;
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

void mg_add(cJSON *list, double number)
{
    cJSON_AddItemToArray(list, cJSON_CreateNumber(number));
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

static void hello(const struct mg_driver *driver, const cJSON *request, cJSON *ok)
{
    const char *version = driver->version;
    if (driver->begin != NULL) {
        cJSON *settings = part(request, "settings"), *actions = part(request, "actions");
        driver->begin(settings, actions);
        cJSON_Delete(settings);
        cJSON_Delete(actions);
    }
    if (version == NULL) {
        version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request, "version"));
    }
    cJSON_AddNumberToObject(ok, "protocol", MG_PROTOCOL);
    cJSON_AddStringToObject(ok, "name", driver->name);
    cJSON_AddStringToObject(ok, "version", version != NULL ? version : "");
    cJSON_AddItemToObject(ok, "actions", texts(driver->actions));
    cJSON_AddItemToObject(ok, "variables", texts(driver->variables));
    cJSON_AddItemToObject(ok, "needs", texts(driver->needs));
    cJSON_AddBoolToObject(ok, "asserts", driver->check != NULL);
}

static void step(const struct mg_driver *driver, const cJSON *request, bool asserts)
{
    cJSON *params = part(request, "params"), *before = part(request, "before"), *after = part(request, "after");
    struct mg_step s = {"", params, before, after};
    const char *action = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request, "action"));
    if (action != NULL) {
        s.action = action;
    }
    if (!mg_has(driver->actions, s.action)) {
        mg_refuse("this driver has no action %s", s.action);
    } else if (!asserts) {
        driver->step(&s);
    } else if (driver->check != NULL) {
        driver->check(&s);
    } else {
        mg_refuse("this driver follows no assertions");
    }
    cJSON_Delete(params);
    cJSON_Delete(before);
    cJSON_Delete(after);
}

/* Does what a request asks, with its answer in ok. */
static void answer(const struct mg_driver *driver, const char *what, const cJSON *request, cJSON *ok)
{
    if (strcmp(what, "hello") == 0) {
        hello(driver, request, ok);
    } else if (strcmp(what, "reset") == 0) {
        driver->reset(mg_number(request, "nodes"));
    } else if (strcmp(what, "step") == 0 || strcmp(what, "assert") == 0) {
        step(driver, request, what[0] == 'a');
    } else if (strcmp(what, "observe") == 0) {
        cJSON_AddItemToObject(ok, "variables", driver->observe());
    } else if (strcmp(what, "log") == 0) {
        cJSON_AddItemToObject(ok, "lines", cJSON_CreateArray());
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
    if (out == NULL || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        perror("standard output");
        return 1;
    }
    while (!stopped && getline(&line, &size, stdin) > 0) {
        cJSON *request = cJSON_Parse(line), *result = cJSON_CreateObject(), *ok = cJSON_CreateObject();
        const char *what = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request, "do"));
        char *text;
        if (what == NULL) {
            fprintf(stderr, "this is no request: %s", line);
            return 1;
        }
        fault = NULL;
        answer(driver, what, request, ok);
        stopped = strcmp(what, "stop") == 0;
        cJSON_AddNumberToObject(result, "id", mg_number(request, "id"));
        if (fault != NULL) {
            cJSON_AddStringToObject(result, fault, said);
            cJSON_Delete(ok);
        } else {
            cJSON_AddItemToObject(result, "ok", ok);
        }
        text = cJSON_PrintUnformatted(result);
        if (text == NULL || fprintf(out, "%s\n", text) < 0 || fflush(out) != 0) {
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

struct mg_network {
    int nodes;
    struct {
        cJSON *messages;
        bool broken;
    } channels[];
};

#define CHANNEL(net, i, j) (&(net)->channels[(i) * (net)->nodes + (j)])

struct mg_network *mg_network_new(int nodes)
{
    struct mg_network *net = calloc(1, sizeof *net + sizeof net->channels[0] * (size_t)(nodes * nodes));
    if (net == NULL) {
        abort();
    }
    net->nodes = nodes;
    for (int c = 0; c < nodes * nodes; c++) {
        net->channels[c].messages = cJSON_CreateArray();
    }
    return net;
}

void mg_network_free(struct mg_network *net)
{
    for (int c = 0; net != NULL && c < net->nodes * net->nodes; c++) {
        cJSON_Delete(net->channels[c].messages);
    }
    free(net);
}

bool mg_send(struct mg_network *net, int i, int j, cJSON *message)
{
    if (CHANNEL(net, i, j)->broken) {
        cJSON_Delete(message);
        return false;
    }
    cJSON_AddItemToArray(CHANNEL(net, i, j)->messages, message);
    return true;
}

cJSON *mg_receive(struct mg_network *net, int i, int j, int k)
{
    cJSON *message = cJSON_DetachItemFromArray(CHANNEL(net, i, j)->messages, k - 1);
    if (message == NULL) {
        mg_refuse("from %d to %d there is no message %d", i, j, k);
    }
    return message;
}

void mg_lose(struct mg_network *net, int i, int j, int k)
{
    cJSON_Delete(mg_receive(net, i, j, k));
}

void mg_duplicate(struct mg_network *net, int i, int j, int k)
{
    cJSON *message = cJSON_GetArrayItem(CHANNEL(net, i, j)->messages, k - 1);
    if (message == NULL) {
        mg_refuse("from %d to %d there is no message %d", i, j, k);
        return;
    }
    cJSON_AddItemToArray(CHANNEL(net, i, j)->messages, cJSON_Duplicate(message, true));
}

void mg_clear(struct mg_network *net, int i, int j)
{
    while (CHANNEL(net, i, j)->messages->child != NULL) {
        cJSON_DeleteItemFromArray(CHANNEL(net, i, j)->messages, 0);
    }
}

void mg_cut(struct mg_network *net, int i, int j)
{
    mg_clear(net, i, j);
    CHANNEL(net, i, j)->broken = true;
}

void mg_heal(struct mg_network *net, int i, int j)
{
    CHANNEL(net, i, j)->broken = false;
}

cJSON *mg_observed(const struct mg_network *net)
{
    cJSON *out = cJSON_CreateArray();
    for (int i = 0; i < net->nodes; i++) {
        cJSON *row = cJSON_CreateArray();
        for (int j = 0; j < net->nodes; j++) {
            cJSON *channel = cJSON_Duplicate(CHANNEL(net, i, j)->messages, true);
            if (CHANNEL(net, i, j)->broken) {
                cJSON *cut = cJSON_CreateObject();
                cJSON_AddBoolToObject(cut, "cut", true);
                cJSON_AddItemToObject(cut, "messages", channel);
                channel = cut;
            }
            cJSON_AddItemToArray(row, channel);
        }
        cJSON_AddItemToArray(out, row);
    }
    return out;
}
