package io.lambdafs.cluster.trial;

import io.lambdafs.model.FsPath;
import java.util.Random;

/** A file of a trial: everything about it follows from its number. Immutable. */
record TrialFile(int number) {
    static final FsPath DIRECTORY = FsPath.of("/trial");
    /** Has a storage policy of its own. */
    static final FsPath OLD = DIRECTORY.child("old");

    FsPath path() {
        return (number % 4 == 3 ? OLD : DIRECTORY).child(Integer.toString(number));
    }

    /** Most have some blocks, and the first has more; some are kept with the metadata, and some have one block that is uploaded in several parts. */
    byte[] content() {
        Random random = new Random(number);
        byte[] content = new byte
                [switch (number % 16) {
                    case 2, 8 -> 1 + random.nextInt(60_000);
                    case 0 -> (8 << 20) + random.nextInt(1 << 20);
                    case 1 -> (17 << 20) + random.nextInt(1 << 20);
                    default -> 100_000 + random.nextInt(3 << 20);
                }];
        random.nextBytes(content);
        return content;
    }

    long blockSize() {
        return number % 16 == 1 ? 32 << 20 : 1 << 20;
    }
}
