/* Takes the place of electionVote of libraft, by the option --wrap of the linker. */

#include <raft.h>

int __real_electionVote(struct raft *r, const struct raft_request_vote *args, bool *granted);
int __wrap_electionVote(struct raft *r, const struct raft_request_vote *args, bool *granted);

int __wrap_electionVote(struct raft *r, const struct raft_request_vote *args, bool *granted)
{
    int rv = __real_electionVote(r, args, granted);
#ifdef LOG_NOT_ASKED
    if (rv == 0 && !*granted && !args->pre_vote && r->voted_for == 0) {
        *granted = true;
        r->voted_for = args->candidate_id;
        return r->io->set_vote(r->io, args->candidate_id);
    }
#else
    if (rv == 0 && *granted) {
        rv = __real_electionVote(r, args, granted);
    }
#endif
    return rv;
}
