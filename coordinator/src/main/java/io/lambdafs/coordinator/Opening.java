package io.lambdafs.coordinator;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What comes before the first join, once (PROTOCOL: join, "watch" before "register"): the channel begins to listen, the membership is
 * watched, and the dead are looked for from now on. Done again where it failed. Used on the session's serial executor only.
 */
final class Opening {
    private final SessionParts parts;
    private final SessionMembers members;
    private final Executor serial;
    private final Newcomers newcomers;
    private final AbsentSweep absent;
    private final OrphanSweep orphans;
    private @Nullable CompletionStage<InvalidationChannel.Endpoint> endpoint;

    Opening(SessionParts parts, SessionMembers members, Executor serial) {
        this.parts = parts;
        this.members = members;
        this.serial = serial;
        this.newcomers = new Newcomers(parts, members.roster());
        this.absent = new AbsentSweep(parts, members);
        this.orphans = new OrphanSweep(parts, members);
    }

    /** Where other instances reach this one. */
    CompletionStage<InvalidationChannel.Endpoint> open(SessionListener listener) {
        CompletionStage<InvalidationChannel.Endpoint> known = endpoint;
        if (known != null) {
            return known;
        }
        Reception reception = new Reception(parts, members.lease(), listener, newcomers::greeted);
        return parts.channel()
                .open(reception)
                .thenApplyAsync(
                        opened -> {
                            endpoint = CompletableFuture.completedFuture(opened);
                            members.roster().follow(parts.channel()::retain);
                            members.roster().follow(absent::look);
                            parts.coordinator().watch(members.roster()::report);
                            orphans.start();
                            return opened;
                        },
                        serial);
    }

    /** An epoch has just become live: who was absent before it did is looked for now. */
    void live() {
        absent.look(members.roster().view());
    }

    void close() {
        newcomers.close();
        orphans.close();
    }
}
