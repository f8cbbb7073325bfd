package io.lambdafs.testing.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A patch in the unified format, applied without a tool. A hunk goes where its lines stand, once and only once, whatever the line numbers
 * say: sources move on. What stands before the first file is a description.
 */
final class UnifiedDiff {
    private final String description;
    private final Map<String, List<Hunk>> files = new LinkedHashMap<>();

    private record Hunk(List<String> before, List<String> after) {}

    private UnifiedDiff(List<String> lines) {
        StringBuilder text = new StringBuilder();
        List<Hunk> hunks = null;
        for (String line : lines) {
            if (line.startsWith("+++ b/")) {
                hunks = new ArrayList<>();
                files.put(line.substring(6).strip(), hunks);
            } else if (line.startsWith("@@") && hunks != null) {
                hunks.add(new Hunk(new ArrayList<>(), new ArrayList<>()));
            } else if (hunks == null && !line.startsWith("---")) {
                text.append(line).append(' ');
            } else if (hunks != null && !hunks.isEmpty() && !line.startsWith("---")) {
                add(hunks.get(hunks.size() - 1), line);
            }
        }
        description = text.toString().strip();
    }

    private static void add(Hunk hunk, String line) {
        char kind = line.isEmpty() ? ' ' : line.charAt(0);
        String rest = line.isEmpty() ? "" : line.substring(1);
        if (kind == ' ' || kind == '-') {
            hunk.before().add(rest);
        }
        if (kind == ' ' || kind == '+') {
            hunk.after().add(rest);
        }
    }

    static UnifiedDiff read(Path patch) throws IOException {
        return new UnifiedDiff(Files.readAllLines(patch));
    }

    /** Returns the sentence that says what the patch breaks. */
    String description() {
        return description;
    }

    /** The files that it changes, from the root of the checkout. */
    List<String> files() {
        return List.copyOf(files.keySet());
    }

    /**
     * The text of a file after the patch.
     *
     * @throws IllegalStateException where a hunk does not fit any more, or fits in several places
     */
    String apply(String file, String source) {
        List<String> lines = new ArrayList<>(source.lines().toList());
        for (Hunk hunk : files.getOrDefault(file, List.of())) {
            int at = placeOf(hunk, lines, file);
            for (int i = 0; i < hunk.before().size(); i++) {
                lines.remove(at);
            }
            lines.addAll(at, hunk.after());
        }
        return String.join("\n", lines) + "\n";
    }

    private static int placeOf(Hunk hunk, List<String> lines, String file) {
        int found = -1;
        int size = hunk.before().size();
        for (int i = 0; i + size <= lines.size(); i++) {
            if (lines.subList(i, i + size).equals(hunk.before())) {
                if (found >= 0) {
                    throw new IllegalStateException("a hunk fits " + file + " in several places: give it more context");
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new IllegalStateException(
                    "a hunk does not fit " + file + " any more; it looks for:\n" + String.join("\n", hunk.before()));
        }
        return found;
    }
}
