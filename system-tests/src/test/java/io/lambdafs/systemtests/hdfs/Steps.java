package io.lambdafs.systemtests.hdfs;

import java.util.ArrayList;
import java.util.List;

/** The steps of a round, the same for the same seed. Used by one thread. */
final class Steps {
    private final Choices choices;
    private final Changes changes;
    private final Looks looks;

    private Steps(long seed) {
        choices = new Choices(seed);
        changes = new Changes(choices);
        looks = new Looks(choices);
    }

    static List<Step> of(long seed, int count) {
        Steps steps = new Steps(seed);
        List<Step> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(steps.next());
        }
        return all;
    }

    private Step next() {
        // The superuser makes what others meet; it is refused little.
        User user = choices.random.nextInt(5) == 0 ? User.ROOT : choices.random.nextBoolean() ? User.U1 : User.U2;
        int kind = choices.random.nextInt(100);
        return kind < 64 ? change(user, kind) : look(user, kind);
    }

    /** @param kind below 64 */
    private Step change(User user, int kind) {
        if (kind < 28) {
            return kind < 13 ? changes.mkdirs(user) : kind < 24 ? changes.create(user) : openFile(user, kind);
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
    private Step openFile(User user, int kind) {
        return kind < 26 ? changes.begin(user) : changes.end(user);
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
