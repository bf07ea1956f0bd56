/* A driver that shows each part of the kit for C: see kits_test.go. */

#include <stdio.h>
#include <string.h>

#include "multigrain.h"

static struct mg_queue queue;
static int settled;
static char *text;

static void begin(const cJSON *settings, const cJSON *actions)
{
    if (strcmp(mg_text(settings, "mood"), "good") != 0 || mg_text(settings, "none")[0] != '\0' || !mg_lists(actions, "Send") || mg_lists(actions, "Sing")) {
        mg_fail("settings or actions are lost");
    }
}

static void reset(int nodes)
{
    queue = (struct mg_queue){0};
    text = mg_copy("a", 2);
    settled = 0;
}

/* Makes a text longer in the same memory, and sends it. */
static void send(const struct mg_step *s)
{
    char *longer = mg_resize(text, strlen(text) + 2);
    longer[strlen(longer)] = 'a';
    text = longer;
    mg_put(&queue, text);
    if (!mg_send(s->i, s->j, text)) {
        mg_put(&queue, mg_copy("lost", 5));
    }
}

static void receive(const struct mg_step *s)
{
    const char *m = mg_receive(s->j, s->i, s->k);
    if (m != NULL && strlen(m) > 3) {
        mg_fail("the text %s is too long", m);
    }
}

static void take(const struct mg_step *s)
{
    if (mg_take(&queue, s->k) == NULL) {
        mg_refuse("there is no item %d", s->k);
    }
}

static void duplicate(const struct mg_step *s) { mg_duplicate(s->i, s->j, s->k); }
static void cut(const struct mg_step *s) { mg_cut(s->i, s->j); }
static void heal(const struct mg_step *s) { mg_heal(s->i, s->j); }
static void crash(const struct mg_step *s) { mg_clear_all(s->i); }
static void trip(const struct mg_step *s) { mg_raise("node %d trips over %d", s->i, mg_number(s->after, "Stone")); }
static void settle(const struct mg_step *s) { settled++; }

static cJSON *show(const void *message) { return mg_json("{'Text': '%s'}", (const char *)message); }
static cJSON *node(int i) { return mg_json("{'Name': 'n%d', 'Odd': %s}", i, mg_bool(i % 2 == 1)); }

static void observe(cJSON *out)
{
    cJSON *items = cJSON_AddArrayToObject(out, "Items");
    for (int k = 0; k < queue.n; k++) {
        cJSON_AddItemToArray(items, mg_json("'%s'", (const char *)queue.items[k]));
    }
    cJSON_AddNumberToObject(out, "Settled", settled);
}

static const struct mg_action actions[] = {{"Send", send}, {"Receive", receive}, {"Take", take}, {"Duplicate", duplicate}, {"Cut", cut},
    {"Heal", heal}, {"Crash", crash}, {"Trip", trip}, {"Rest", NULL}, {NULL, NULL}};
static const char *const variables[] = {"Name", "Odd", "Items", "Settled", NULL};
static const char *const needs[] = {"Stone", NULL};

int main(void)
{
    static const struct mg_driver driver = {.name = "kit", .nodes = 3, .actions = actions, .variables = variables, .network = "Net",
        .needs = needs, .raises = true, .begin = begin, .reset = reset, .settle = settle, .node = node, .observe = observe, .show = show};
    return mg_serve(&driver);
}
