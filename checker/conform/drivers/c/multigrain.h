/* The protocol of multigrain's drivers, with the JSON of libcjson, and what most drivers need: a
 * network of controlled channels, queues, and memory that lives until the next reset. Compile
 * multigrain.c with the driver, and link with -lcjson.
 *
 * A driver fills a struct mg_driver, and main calls mg_serve:
 *
 *     static const struct mg_driver counter = {.name = "counter", ...};
 *     int main(void) { return mg_serve(&counter); }
 *
 * An end of the process, such as by a failed assert, is a difference if it happens again. Standard
 * output belongs to the protocol: what is printed goes to standard error. */
#ifndef MULTIGRAIN_H
#define MULTIGRAIN_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#define MG_PROTOCOL 1

/* A step of the specification: an action, its parameters, and the values of the variables in needs
 * before and after it. The parameters I, J and K are numbers: nodes from 0, and a position from 1.
 * Without one of them I and J are 0, and K is 1. */
struct mg_step {
    const char *action;
    int i, j, k;
    const cJSON *params, *before, *after;
};

/* An action of the specification, and how it is done. NULL: the implementation does nothing. */
struct mg_action {
    const char *name;
    void (*act)(const struct mg_step *step);
};

/* What a driver offers. Lists end with NULL. Functions may be NULL, except reset and one of node and
 * observe. */
struct mg_driver {
    const char *name;
    const char *version; /* of the implementation that runs; NULL: not known */
    int nodes;           /* the most that it can have; 0: any number */
    const struct mg_action *actions;
    const char *const *variables; /* of the specification, those that node and observe give */
    const char *network;          /* the variable that has the channels; NULL: there are none */
    const char *const *needs;     /* variables whose values a step reads; NULL: none */
    bool raises;                  /* an implementation may report failed assertions: see mg_raise */

    /* Called once, with the settings of the implementation block and the composition's actions. */
    void (*begin)(const cJSON *settings, const cJSON *actions);
    /* Brings the implementation into its initial state. Channels are empty, and memory is free. */
    void (*reset)(int nodes);
    /* What happens at the end of every step, after its action. */
    void (*settle)(const struct mg_step *step);
    /* Returns a record with the values of node i, of variables that are lists over the nodes. */
    cJSON *(*node)(int i);
    /* Adds the values of other variables to a record. */
    void (*observe)(cJSON *out);
    /* Returns a message of the network as the specification has it. Required with a network. */
    cJSON *(*show)(const void *message);
};

/* Answers requests until standard input ends. Returns the exit code. */
int mg_serve(const struct mg_driver *driver);

/* The driver cannot do what is asked: the result is undecided. The first word counts. */
void mg_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The implementation shows what no value of the specification stands for: a difference. */
void mg_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The implementation reports a failed assertion. It is a difference, unless the specification has
 * one in this step, too. */
void mg_raise(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A value of JSON, written as by printf. Texts and names may have ' for ". */
cJSON *mg_json(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "true" or "false", for mg_json. */
const char *mg_bool(bool b);
/* Adds each field of a record to the list of its name in rows, and deletes the record. */
void mg_rows(cJSON *rows, cJSON *record);
/* A field that is a number, or a text. It is 0, or "", if there is none. */
int mg_number(const cJSON *object, const char *name);
const char *mg_text(const cJSON *object, const char *name);
/* Whether a list of JSON has a text. */
bool mg_lists(const cJSON *list, const char *text);

/* Memory that lives until the next reset. It is zero, or a copy of data, or has what old has. A size
 * is in bytes. */
void *mg_memory(size_t size);
void *mg_copy(const void *data, size_t size);
void *mg_resize(void *old, size_t size);

/* A queue of any items, which lives until the next reset. It begins as zero. Positions count from
 * 1. */
struct mg_queue {
    void **items;
    int n, most;
};
void mg_put(struct mg_queue *queue, void *item);
/* Takes the k-th item. NULL: there is none. */
void *mg_take(struct mg_queue *queue, int k);

/* Channels from each node to each other one. Nothing moves by itself. Positions count from 1.
 *
 * mg_send puts a message in flight, unless the connection is broken, and returns whether it is. The
 * message must live until the next reset. */
bool mg_send(int i, int j, void *message);
/* Takes the k-th message from i to j. NULL, with mg_refuse: there is none. */
void *mg_receive(int i, int j, int k);
/* Puts the k-th message from i to j in flight again. */
void mg_duplicate(int i, int j, int k);
/* Loses what is in flight from i to j. */
void mg_clear(int i, int j);
/* Loses what is in flight from and to i, as in a crash. */
void mg_clear_all(int i);
/* Breaks the connection between i and j, both ways, and loses what is in flight; or makes it. */
void mg_cut(int i, int j);
void mg_heal(int i, int j);

#endif
