/* The protocol of multigrain's drivers, and a network of controlled channels, with the JSON of
 * libcjson. Compile multigrain.c with the driver, and link with -lcjson.
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

#define MG_PROTOCOL 1

/* A step of the specification: an action, its parameters, and the values of the variables in needs
 * before and after it. */
struct mg_step {
    const char *action;
    const cJSON *params, *before, *after;
};

/* What a driver offers. Lists end with NULL. A function that is NULL is not offered; step, reset and
 * observe are required. */
struct mg_driver {
    const char *name;
    const char *version;          /* of the implementation that runs; NULL: not known */
    const char *const *actions;   /* that step can do */
    const char *const *variables; /* of the specification, those that observe returns */
    const char *const *needs;     /* variables whose values step reads; NULL: none */

    /* Called once, with the settings of the implementation block and the composition's actions. */
    void (*begin)(const cJSON *settings, const cJSON *actions);
    /* Brings the implementation into its initial state. */
    void (*reset)(int nodes);
    void (*step)(const struct mg_step *step);
    /* The implementation must report a failed assertion in this step. */
    void (*check)(const struct mg_step *step);
    /* Returns an object with the values of all variables. */
    cJSON *(*observe)(void);
};

/* Answers requests until standard input ends. Returns the exit code. */
int mg_serve(const struct mg_driver *driver);

/* The driver cannot do what is asked: the result is undecided. The first word counts. */
void mg_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The implementation shows what no value of the specification stands for: a difference. */
void mg_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A field that is a number. It is 0 if there is none. */
int mg_number(const cJSON *object, const char *name);
/* Whether a list that ends with NULL, or one of JSON, has a text. */
bool mg_has(const char *const *list, const char *text);
bool mg_lists(const cJSON *list, const char *text);
/* Adds a number to a list. */
void mg_add(cJSON *list, double number);

/* Channels from each node to each other one. Nothing moves by itself. Messages are values as the
 * specification has them. Positions count from 1. */
struct mg_network;
struct mg_network *mg_network_new(int nodes);
void mg_network_free(struct mg_network *net);
/* Puts a message in flight, unless the connection is broken. It belongs to the network. Returns
 * whether it is in flight. */
bool mg_send(struct mg_network *net, int i, int j, cJSON *message);
/* Takes the k-th message from i to j. The caller deletes it. NULL, with mg_refuse: there is none. */
cJSON *mg_receive(struct mg_network *net, int i, int j, int k);
void mg_lose(struct mg_network *net, int i, int j, int k);
void mg_duplicate(struct mg_network *net, int i, int j, int k);
/* Loses what is in flight from i to j. */
void mg_clear(struct mg_network *net, int i, int j);
/* Breaks the connection from i to j, and loses what is in flight. */
void mg_cut(struct mg_network *net, int i, int j);
void mg_heal(struct mg_network *net, int i, int j);
/* The channels as a Net or a Bag of the specification has them. */
cJSON *mg_observed(const struct mg_network *net);

#endif
