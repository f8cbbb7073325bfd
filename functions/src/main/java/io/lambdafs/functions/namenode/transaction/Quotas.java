package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.Quota;
import java.util.Locale;

/** Refuses what a quota does not admit, in HDFS's words. Stateless. */
final class Quotas {
    private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};

    private Quotas() {}

    /**
     * Checks a change by a directory's quota.
     *
     * @throws FsException {@code NAMES_QUOTA_EXCEEDED} or {@code SPACE_QUOTA_EXCEEDED}
     */
    static void check(String path, Quota quota, DirectoryTotals below, DirectoryTotals more) {
        if (!quota.admitsNames(below, more)) {
            throw new FsException(
                    ErrorCode.NAMES_QUOTA_EXCEEDED,
                    "The NameSpace quota (directories and files) of directory " + path + " is exceeded: quota="
                            + quota.names() + " file count="
                            + (Quota.names(below) + more.files() + more.directories()));
        }
        if (!quota.admitsSpace(below, more)) {
            long space = below.space() + more.space();
            throw new FsException(
                    ErrorCode.SPACE_QUOTA_EXCEEDED,
                    "The DiskSpace quota of " + path + " is exceeded: quota = " + quota.space() + " B = "
                            + inUnits(quota.space()) + " but diskspace consumed = " + space + " B = "
                            + inUnits(space));
        }
    }

    /** Returns a number of bytes with a binary unit, with two decimals if that is not exact, as Hadoop writes it. */
    private static String inUnits(long bytes) {
        int unit = 0;
        while (unit < UNITS.length - 1 && (bytes >> (10 * (unit + 1))) > 0) {
            unit++;
        }
        long size = 1L << (10 * unit);
        String number = bytes % size == 0
                ? Long.toString(bytes / size)
                : String.format(Locale.ROOT, "%.2f", bytes / (double) size);
        return number + " " + UNITS[unit];
    }
}
