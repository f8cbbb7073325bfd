package io.lambdafs.systemtests.docs;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of a page, and the citations of them in a text: {@code PROTOCOL: W5, E1}, {@code FILES: F3}. */
final class Citations {
    private static final Pattern RULE = Pattern.compile("(?m)^(?:\\| |- )?\\*\\*([A-Z][1-9][0-9]*)(?:\\*\\* |\\. )");
    private static final Pattern LINE_BREAK = Pattern.compile("(?: *\\*\\))?\\R *(?:\\(\\*|\\*|//)? *");
    private static final Pattern ID = Pattern.compile("\\G(?:, *)?([A-Z][0-9]+)\\b");

    private Citations() {}

    /** Returns the ids that a page defines, in its order, with repetitions. */
    static List<String> definedBy(String page) {
        return RULE.matcher(page).results().map(rule -> rule.group(1)).toList();
    }

    /**
     * Returns the ids of a page that a text cites; of a citation that names none, its words. A citation may be broken over two lines.
     *
     * @param page its name, without its ending
     */
    static Set<String> in(String page, String text) {
        Set<String> cited = new LinkedHashSet<>();
        Matcher citations = Pattern.compile("\\b" + page + "(?:\\.md)?: *(?=(.{0,60}))")
                .matcher(LINE_BREAK.matcher(text).replaceAll(" "));
        while (citations.find()) {
            List<String> ids = new ArrayList<>();
            Matcher each = ID.matcher(citations.group(1));
            while (each.find()) {
                ids.add(each.group(1));
            }
            cited.addAll(ids.isEmpty() ? List.of(citations.group(1)) : ids);
        }
        return cited;
    }
}
