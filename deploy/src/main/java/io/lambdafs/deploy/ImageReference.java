package io.lambdafs.deploy;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a container image, in the grammar of registries. Immutable.
 *
 * @param host the registry's host and port; empty for the platform's default
 * @param path the repository in it
 * @param tag empty if none is given
 * @param digest empty if none is given
 */
record ImageReference(String host, String path, String tag, String digest) {
    private static final int MOST_CHARS = 255;
    private static final Pattern HOST = Pattern.compile(
            "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?)+(?::[0-9]{1,5})?|\\[[0-9a-fA-F:]+](?::[0-9]{1,5})?");
    private static final Pattern PATH =
            Pattern.compile("[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*)*");
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}");
    private static final Pattern PARTS = Pattern.compile("([^@]*?)(?::([^:/@]*))?(?:@(.*))?", Pattern.DOTALL);

    /** Parses a name; empty if it is invalid. */
    static Optional<ImageReference> of(String text) {
        return fault(text).isEmpty() ? Optional.of(split(text)) : Optional.empty();
    }

    /** Returns the reason why a name is invalid; empty if it is valid. */
    static Optional<String> fault(String text) {
        if (text.matches("[A-Za-z-]+://.*")) {
            return Optional.of("it is a name, not a URL: leave out " + text.replaceFirst("://.*", "://"));
        }
        if (text.chars().anyMatch(Character::isWhitespace)) {
            return Optional.of("it contains a blank");
        }
        ImageReference parts = split(text);
        if (!parts.host.isEmpty() && !HOST.matcher(parts.host).matches()) {
            return Optional.of("\"" + parts.host + "\" is not a registry's host");
        }
        if (!PATH.matcher(parts.path).matches()) {
            String lower = parts.path.toLowerCase(Locale.ROOT);
            return Optional.of("\"" + parts.path + "\" is not a repository: "
                    + (PATH.matcher(lower).matches()
                            ? "only lower-case letters are allowed"
                            : "use lower-case letters and digits, separated by . _ - and /"));
        }
        if (parts.host.length() + parts.path.length() >= MOST_CHARS) {
            return Optional.of("its name is longer than " + MOST_CHARS + " characters");
        }
        if (text.replaceFirst("@.*", "").endsWith(":")
                || (!parts.tag.isEmpty() && !TAG.matcher(parts.tag).matches())) {
            return Optional.of("\"" + parts.tag + "\" is not a tag: use at most 128 letters, digits, _ . and -");
        }
        return text.contains("@") && !DIGEST.matcher(parts.digest).matches()
                ? Optional.of(
                        "\"" + parts.digest + "\" is not a digest: use sha256: and 64 hexadecimal digits in lower case")
                : Optional.empty();
    }

    /** Returns whether the name may stand for another image later, because nothing in it names a version. */
    boolean isMoving() {
        return digest.isEmpty() && (tag.isEmpty() || tag.equals("latest"));
    }

    private static ImageReference split(String text) {
        Matcher parts = PARTS.matcher(text);
        if (!parts.matches()) {
            throw new IllegalStateException(text);
        }
        String name = group(parts, 1);
        int slash = name.indexOf('/');
        String first = slash < 0 ? "" : name.substring(0, slash);
        boolean isHost = first.matches(".*[.:A-Z].*") || first.equals("localhost");
        return new ImageReference(
                isHost ? first : "", isHost ? name.substring(slash + 1) : name, group(parts, 2), group(parts, 3));
    }

    private static String group(Matcher matcher, int number) {
        String found = matcher.group(number);
        return found == null ? "" : found;
    }
}
