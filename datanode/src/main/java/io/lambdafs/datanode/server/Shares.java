package io.lambdafs.datanode.server;

import java.util.HashMap;
import java.util.Map;

/**
 * A bounded amount, shared out among users: any of them may take from the first three quarters; from the last quarter
 * only a user who then has less than an equal share. So a latecomer finds some left. Thread-safe.
 */
final class Shares {
    private final long all;
    private final Map<Integer, Long> ofUser = new HashMap<>();
    private long taken;

    Shares(long all) {
        this.all = all;
    }

    /** Takes the whole amount, or takes nothing and returns false. */
    synchronized boolean take(int user, long amount) {
        long mine = ofUser.getOrDefault(user, 0L) + amount;
        if (taken + amount > all) {
            return false;
        }
        boolean scarce = taken + amount > all / 4 * 3;
        int others = ofUser.size() - (ofUser.containsKey(user) ? 1 : 0);
        // Allows for one more user.
        if (scarce && mine > all / (others + 2)) {
            return false;
        }
        taken += amount;
        ofUser.put(user, mine);
        return true;
    }

    synchronized void giveBack(int user, long amount) {
        taken -= amount;
        ofUser.computeIfPresent(user, (who, had) -> had > amount ? had - amount : null);
    }

    synchronized long free() {
        return all - taken;
    }
}
