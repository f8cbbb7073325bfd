package io.lambdafs.hadoop.convert;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;

/**
 * Converts what a quota refuses to HDFS's own exceptions, with HDFS's text and nothing before it. Where Hadoop's HDFS client is not on
 * the class path, they are {@code IOException}s with the same text. Stateless.
 */
final class QuotaFailures {
    private QuotaFailures() {}

    static IOException of(FsException refusal) {
        String message = String.valueOf(refusal.getMessage());
        try {
            return refusal.code() == ErrorCode.NAMES_QUOTA_EXCEEDED ? Names.exceeded(message) : Space.exceeded(message);
        } catch (NoClassDefFoundError absent) {
            return new IOException(message);
        }
    }

    /** Loaded with the class that it names, and not before. */
    private static final class Names {
        private Names() {}

        static IOException exceeded(String message) {
            return new NSQuotaExceededException(message);
        }
    }

    /** Loaded with the class that it names, and not before. */
    private static final class Space {
        private Space() {}

        static IOException exceeded(String message) {
            return new DSQuotaExceededException(message);
        }
    }
}
