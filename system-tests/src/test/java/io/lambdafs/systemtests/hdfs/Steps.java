package io.lambdafs.systemtests.hdfs;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** The steps of a round, the same for the same seed. Used by one thread. */
final class Steps {
    /** One round of so many is of open files. */
    private static final int OPEN_FILES_EVERY = 2;

    private final Choices choices;
    private final Changes changes;
    private final OpenFileSteps open;
    private final Looks looks;
    private final boolean ofOpenFiles;

    private Steps(long seed) {
        ofOpenFiles = seed % OPEN_FILES_EVERY == 0;
        choices = new Choices(seed, ofOpenFiles);
        changes = new Changes(choices);
        open = new OpenFileSteps(choices);
        looks = new Looks(choices);
    }

    static List<Step> of(long seed, int count) {
        Steps steps = new Steps(seed);
        List<Step> all = new ArrayList<>();
        if (steps.ofOpenFiles) {
            // Where everybody may rename and delete what is everybody's.
            all.add(Changes.setPermission(User.ROOT, new Path("/u2"), 0777));
        }
        while (all.size() < count) {
            all.add(steps.next());
        }
        return all;
    }

    private Step next() {
        // The superuser makes what others meet; it is refused little.
        User user = choices.random.nextInt(5) == 0 ? User.ROOT : choices.random.nextBoolean() ? User.U1 : User.U2;
        int kind = choices.random.nextInt(100);
        if (ofOpenFiles && kind < 60) {
            // Of two programs of one user, one writes only if the other does not.
            user = user == User.U2 && choices.random.nextInt(3) == 0 ? User.U2_ELSEWHERE : user;
            return kind < 44 ? openFile(user, kind) : meetsOpenFile(user, kind);
        }
        int any = ofOpenFiles ? choices.random.nextInt(100) : kind;
        return any < 64 ? change(user, any) : look(user, any);
    }

    /** @param kind below 44 */
    private Step openFile(User user, int kind) {
        if (kind < 20) {
            return kind < 14 ? open.beginSynced(user) : kind < 15 ? open.begin(user) : open.append(user);
        }
        if (kind < 36) {
            return kind < 28 ? open.sync(user) : open.end(user);
        }
        return kind < 40 ? open.recoverLease(user) : open.isFileClosed(user);
    }

    /** @param kind 44–59 */
    private Step meetsOpenFile(User user, int kind) {
        if (kind < 52) {
            return kind < 48 ? looks.open(user) : kind < 50 ? changes.truncate(user) : changes.concat(user);
        }
        if (kind < 56) {
            return kind < 54 ? changes.setReplication(user) : looks.checksum(user);
        }
        return kind < 58 ? looks.append(user) : changes.create(user);
    }

    /** @param kind below 64 */
    private Step change(User user, int kind) {
        if (kind < 28) {
            return kind < 13 ? changes.mkdirs(user) : kind < 24 ? changes.create(user) : kept(user, kind);
        }
        if (kind < 47) {
            return kind < 35
                    ? changes.rename(user)
                    : kind < 41 ? changes.renameWithOptions(user) : changes.delete(user);
        }
        if (kind < 59) {
            return kind < 51 ? changes.setPermission(user) : kind < 55 ? changes.acl(user) : changes.setOwner(user);
        }
        if (kind < 62) {
            return kind < 60 ? changes.setTimes(user) : kind < 61 ? changes.truncate(user) : changes.concat(user);
        }
        return kind < 63 ? changes.setReplication(user) : changes.xattr(user);
    }

    /** @param kind 24–27 */
    private Step kept(User user, int kind) {
        return kind < 26 ? open.begin(user) : open.end(user);
    }

    /** @param kind 64–99 */
    private Step look(User user, int kind) {
        if (kind < 76) {
            return kind < 70 ? looks.status(user) : looks.listing(user);
        }
        if (kind < 88) {
            return kind < 82 ? looks.open(user) : looks.access(user);
        }
        if (kind < 94) {
            return kind < 90 ? looks.contentSummary(user) : kind < 92 ? looks.acl(user) : looks.files(user);
        }
        if (kind < 97) {
            return kind < 95 ? looks.exists(user) : kind < 96 ? looks.xattrs(user) : looks.checksum(user);
        }
        return kind < 99 ? looks.append(user) : looks.kinds(user);
    }
}
