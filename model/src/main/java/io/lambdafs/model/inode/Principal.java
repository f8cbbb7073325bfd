package io.lambdafs.model.inode;

import java.util.List;

/**
 * The caller's identity: proven by a token, never taken from a request's body. Immutable.
 *
 * @param user a name, not empty
 * @param groups the user's groups, the primary one first
 */
public record Principal(String user, List<String> groups) {
    /** Members of this group, and the user that formatted the file system, pass every permission check. */
    public static final String SUPERGROUP = "supergroup";

    public Principal {
        if (user.isEmpty()) {
            throw new IllegalArgumentException("a principal needs a user name");
        }
        groups = List.copyOf(groups);
    }

    public boolean isIn(String group) {
        return groups.contains(group);
    }

    public boolean isSuperuser() {
        return groups.contains(SUPERGROUP);
    }
}
