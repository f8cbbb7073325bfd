package io.lambdafs.model.inode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies one change to an ACL by HDFS's rules, to access and default entries separately. Single use; confined to one
 * thread.
 */
final class AclDraft {
    /** Maximum number of entries of either kind. */
    private static final int MOST = 32;

    private final List<AclEntry> existing;
    private final List<AclEntry> entries = new ArrayList<>();
    private final Part access = new Part();
    private final Part defaults = new Part();

    /** The state of the entries of one kind. */
    private static final class Part {
        private @Nullable AclEntry mask;
        private boolean isMaskChanged;
        private boolean isChanged;
    }

    /** @param existing all entries, sorted, the mask among them */
    AclDraft(List<AclEntry> existing) {
        this.existing = existing;
    }

    private Part part(AclEntry entry) {
        return entry.isDefault() ? defaults : access;
    }

    private void keep(AclEntry entry) {
        if (entry.type() == AclEntry.Type.MASK) {
            part(entry).mask = entry;
        } else {
            entries.add(entry);
        }
    }

    private void changed(AclEntry entry) {
        part(entry).isChanged = true;
        part(entry).isMaskChanged |= entry.type() == AclEntry.Type.MASK;
    }

    private static @Nullable AclEntry find(List<AclEntry> among, AclEntry wanted) {
        for (AclEntry entry : among) {
            if (entry.replaces(wanted)) {
                return entry;
            }
        }
        return null;
    }

    /**
     * Adds entries, replacing those for the same subject. If several given entries name one subject, the one that
     * HDFS's binary search would meet is used.
     */
    List<AclEntry> modified(List<AclEntry> given) {
        checkCount(given);
        List<AclEntry> sorted = given.stream().sorted().toList();
        for (AclEntry entry : existing) {
            int found = Collections.binarySearch(sorted, entry);
            AclEntry other = found < 0 ? null : sorted.get(found);
            if (other != null) {
                changed(other);
            }
            keep(other == null ? entry : other);
        }
        for (AclEntry entry : sorted) {
            if (find(existing, entry) == null) {
                changed(entry);
                keep(entry);
            }
        }
        return finished();
    }

    /** Removes entries, whatever they allow. */
    List<AclEntry> without(List<AclEntry> given) {
        checkCount(given);
        for (AclEntry entry : existing) {
            if (find(given, entry) == null) {
                keep(entry);
            } else {
                changed(entry);
            }
        }
        return finished();
    }

    /** Replaces all entries of the given entries' kinds. */
    List<AclEntry> replaced(List<AclEntry> given) {
        checkCount(given);
        for (AclEntry entry : given) {
            changed(entry);
            keep(entry);
        }
        for (AclEntry entry : existing) {
            if (!part(entry).isChanged) {
                keep(entry);
            }
        }
        return finished();
    }

    private List<AclEntry> finished() {
        copyDefaults();
        addMask(access, false);
        addMask(defaults, true);
        Collections.sort(entries);
        check();
        return entries;
    }

    /** Completes a default ACL: missing entries for owner, group and others are copied from the access entries. */
    private void copyDefaults() {
        if (entries.stream().noneMatch(AclEntry::isDefault)) {
            return;
        }
        for (AclEntry.Type type : AclEntry.Type.values()) {
            AclEntry base = new AclEntry(true, type, "", 0);
            AclEntry source = find(entries, new AclEntry(false, type, "", 0));
            if (type != AclEntry.Type.MASK && source != null && find(entries, base) == null) {
                entries.add(base.allowing(source.permission()));
            }
        }
    }

    private void addMask(Part part, boolean isDefault) {
        int union = 0;
        boolean isThere = false;
        boolean isNeeded = false;
        for (AclEntry entry : entries) {
            if (entry.isDefault() == isDefault) {
                isThere = true;
                isNeeded |= !entry.name().isEmpty();
                boolean isMasked =
                        entry.type() == AclEntry.Type.GROUP || !entry.name().isEmpty();
                union |= isMasked ? entry.permission() : 0;
            }
        }
        AclEntry given = part.mask;
        if (!isThere) {
            return;
        }
        if (given == null && isNeeded && part.isMaskChanged) {
            throw AclEntry.invalid("mask is required and cannot be deleted.");
        }
        if (given != null && (!part.isChanged || part.isMaskChanged)) {
            entries.add(given);
        } else if (isNeeded || given != null) {
            entries.add(new AclEntry(isDefault, AclEntry.Type.MASK, "", union));
        }
    }

    private static void checkCount(List<AclEntry> entries) {
        long defaults = entries.stream().filter(AclEntry::isDefault).count();
        if (defaults > MOST || entries.size() - defaults > MOST) {
            throw AclEntry.invalid("it has " + (entries.size() - defaults) + " access and " + defaults
                    + " default entries, which exceeds maximum of " + MOST + ".");
        }
    }

    private void check() {
        checkCount(entries);
        for (int i = 1; i < entries.size(); i++) {
            if (entries.get(i).replaces(entries.get(i - 1))) {
                throw AclEntry.invalid("multiple entries with same scope, type and name.");
            }
        }
        checkBase(false);
        if (entries.get(entries.size() - 1).isDefault()) {
            checkBase(true);
        }
    }

    private void checkBase(boolean isDefault) {
        for (AclEntry.Type type : AclEntry.Type.values()) {
            if (type != AclEntry.Type.MASK && find(entries, new AclEntry(isDefault, type, "", 0)) == null) {
                throw AclEntry.invalid("the user, group and other entries are required.");
            }
        }
    }
}
