package io.lambdafs.model.inode;

/** The kind of change to an ACL; each matches the HDFS operation of a similar name. */
public enum AclChange {
    /** Adds the entries, replacing those for the same subjects. */
    MODIFY,
    /** Removes the entries, whatever they allow. */
    REMOVE,
    /** Removes all default entries. */
    REMOVE_DEFAULT,
    /** Removes everything beyond the mode. */
    REMOVE_ALL,
    /** Replaces all entries of the given entries' kinds (access, default or both); an empty list removes all. */
    SET
}
