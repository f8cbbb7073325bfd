package io.lambdafs.deploy;

import java.util.Locale;

/**
 * An obstacle to a deployment or to its later use. Immutable.
 *
 * @param isFault whether it prevents the deployment until it is fixed
 * @param what the obstacle
 * @param change the remedy; empty if the message says it
 */
public record Problem(Code code, boolean isFault, String what, String change) {
    /** The code of a problem; numbers never change. */
    public enum Code {
        /** The platform does not answer. */
        UNREACHABLE(1),
        /** The platform does not accept the credentials. */
        CREDENTIALS(2),
        /** The credentials do not allow this in the namespace. */
        FORBIDDEN(3),
        /** It lacks the requested memory, processors or number of instances. */
        QUOTA(4),
        /** The image does not exist or cannot be pulled. */
        IMAGE(5),
        /** The image is for another architecture than the platform's. */
        ARCHITECTURE(6),
        /** An instance may not serve the requested number of calls at once. */
        CONCURRENCY(7),
        /** An instance may not have this much or this little memory. */
        MEMORY(8),
        /** A call may not take this long. */
        TIME_LIMIT(9),
        /** A needed name is taken. */
        NAME_TAKEN(10),
        /** The command's options or configuration are invalid. */
        CONFIGURATION(11),
        /** Instances are frozen too soon after a call. */
        PAUSE(12),
        /** The platform lacks a needed part. */
        MISSING_PART(13),
        /** The platform failed or gave an unexpected answer. */
        PLATFORM_FAILED(14),
        /** The rate limit of calls is too low. */
        RATE(15);

        private final int number;

        Code(int number) {
            this.number = number;
        }

        /** Returns the code for a platform's message that an instance did not start. */
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

        /** Returns the label for users: {@code LFS-D01}. */
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

    /** Returns a line for people. */
    public String line() {
        return (isFault ? "" : "note: ") + code.label() + " " + code + ": " + text();
    }

    String text() {
        return change.isEmpty() ? what : what + "; " + change;
    }
}
