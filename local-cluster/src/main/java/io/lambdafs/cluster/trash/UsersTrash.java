package io.lambdafs.cluster.trash;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.functions.housekeeping.Checkpoints;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the users' trash, one page of names and one request of totals for each entry, and when the leader of the
 * instances will remove it. Confined to one thread.
 */
final class UsersTrash {
    private static final Set<ErrorCode> ABSENT = Set.of(ErrorCode.NOT_FOUND, ErrorCode.NOT_A_DIRECTORY);

    private final BlockingLambdaFs fs;
    private final Duration life;
    private final ZoneId zone;
    private final Instant now;
    private final List<Trashed> found = new ArrayList<>();
    private int hidden;

    /** @param life for which the instances keep a checkpoint; zero if they remove none, or that is not known here */
    UsersTrash(BlockingLambdaFs fs, Duration life, ZoneId zone, Instant now) {
        this.fs = fs;
        this.life = life;
        this.zone = zone;
        this.now = now;
    }

    /** Reads every user's trash; counts those that the caller may not list. */
    void readAll() throws InterruptedException {
        for (Attributes user : list(Checkpoints.USERS)) {
            if (user.isDirectory()) {
                try {
                    read(user.name());
                } catch (FsException e) {
                    if (e.code() != ErrorCode.PERMISSION_DENIED) {
                        throw e;
                    }
                    hidden++;
                }
            }
        }
    }

    /** Reads the trash of one user, who need not have any. */
    void read(String user) throws InterruptedException {
        FsPath trash = Checkpoints.trashOf(user);
        List<Attributes> entries = list(trash);
        Optional<Instant> newest = entries.stream()
                .flatMap(each -> Checkpoints.made(each.name(), zone).stream())
                .max(Instant::compareTo);
        for (Attributes each : entries) {
            try {
                FsPath path = trash.child(each.name());
                Optional<Instant> made = Checkpoints.made(each.name(), zone);
                Optional<Instant> purged = each.name().equals(Checkpoints.CURRENT)
                        ? Optional.of(becomesCheckpoint(newest).plus(life))
                        : made.map(since -> since.plus(life));
                found.add(new Trashed(
                        user,
                        path,
                        made,
                        purged.filter(any -> !life.isZero()),
                        BlockingLambdaFs.await(fs.async().usage(path))));
            } catch (FsException e) {
                skipAbsent(e);
            }
        }
    }

    /** Returns when the current trash is made a checkpoint at the earliest: there is one at most in each life. */
    private Instant becomesCheckpoint(Optional<Instant> newest) {
        return newest.map(made -> made.plus(life))
                .filter(then -> then.isAfter(now))
                .orElse(now);
    }

    private List<Attributes> list(FsPath directory) {
        List<Attributes> entries = new ArrayList<>();
        try {
            for (Iterator<Attributes> each = fs.list(directory); each.hasNext(); ) {
                entries.add(each.next());
            }
        } catch (FsException e) {
            skipAbsent(e);
        }
        return entries;
    }

    private static void skipAbsent(FsException e) {
        if (!ABSENT.contains(e.code())) {
            throw e;
        }
    }

    List<Trashed> found() {
        return List.copyOf(found);
    }

    /** Returns the number of users whose trash the caller may not list. */
    int hidden() {
        return hidden;
    }
}
