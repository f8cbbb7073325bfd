package io.lambdafs.store;

/** A key to read and the lock to take on it first. */
public record Read(Key key, LockMode lock) {
    public static Read unlocked(Key key) {
        return new Read(key, LockMode.NONE);
    }

    public static Read shared(Key key) {
        return new Read(key, LockMode.SHARED);
    }

    public static Read exclusive(Key key) {
        return new Read(key, LockMode.EXCLUSIVE);
    }
}
