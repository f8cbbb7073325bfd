package io.lambdafs.deploy;

import java.util.Locale;

/**
 * What stands in the way of a deployment, or will once it is used. Immutable.
 *
 * @param isFault whether nothing is deployed before it is put right
 * @param what is so
 * @param change what to do about it
 */
public record Problem(Code code, boolean isFault, String what, String change) {
    /** Which problem; numbers never change. */
    public enum Code {
        /** The platform does not answer. */
        UNREACHABLE(1),
        /** The platform does not accept the credentials. */
        CREDENTIALS(2),
        /** The credentials do not allow this in the namespace. */
        FORBIDDEN(3),
        /** It has not the memory, processors or number of instances that is asked. */
        QUOTA(4),
        /** There is no such image, or it cannot be pulled. */
        IMAGE(5),
        /** The image is of another processor than the platform's. */
        ARCHITECTURE(6),
        /** An instance may not serve as many calls at once as is asked. */
        CONCURRENCY(7),
        /** An instance may not have as much memory, or as little. */
        MEMORY(8),
        /** A call may not take as long. */
        TIME_LIMIT(9),
        /** Something else has a name that is needed. */
        NAME_TAKEN(10),
        /** What the command was told makes no sense. */
        CONFIGURATION(11),
        /** Instances are frozen too soon after a call. */
        PAUSE(12),
        /** The platform lacks a part that is needed. */
        MISSING_PART(13),
        /** The platform failed, or answered what nobody expects. */
        PLATFORM_FAILED(14),
        /** Too few calls are let through. */
        RATE(15);

        private final int number;

        Code(int number) {
            this.number = number;
        }

        /** What a platform's words mean where it could not start an instance. */
        public static Code ofStart(String message) {
            String said = message.toLowerCase(Locale.ROOT);
            if (said.contains("exec format") || said.contains("no match for platform")) {
                return ARCHITECTURE;
            }
            if (said.contains("image") || said.contains("pull")) {
                return IMAGE;
            }
            return said.contains("quota") || said.contains("insufficient") ? QUOTA : PLATFORM_FAILED;
        }

        /** What users see: {@code LFS-D01}. */
        public String label() {
            return String.format(Locale.ROOT, "LFS-D%02d", number);
        }
    }

    public static Problem fault(Code code, String what, String change) {
        return new Problem(code, true, what, change);
    }

    public static Problem advice(Code code, String what, String change) {
        return new Problem(code, false, what, change);
    }

    /** What people read. */
    public String line() {
        return (isFault ? "" : "note: ") + code.label() + " " + code + ": " + what + "; " + change;
    }
}
