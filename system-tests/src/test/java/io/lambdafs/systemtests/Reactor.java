package io.lambdafs.systemtests;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The modules as their POMs say, by folder: which of the others each is compiled with. */
final class Reactor {
    private static final Path ROOT = Path.of("..");
    private static final Map<String, Set<String>> USES = read();

    private Reactor() {}

    /** Returns the folders of all modules that have no modules of their own. */
    static Set<String> folders() {
        return USES.keySet();
    }

    /** Returns the modules that a module is compiled with, directly or through others. */
    static Set<String> reaches(String folder) {
        return reaches(folder, USES);
    }

    /** Follows a relation from one module on; the module itself is not in the result. */
    static Set<String> reaches(String folder, Map<String, Set<String>> uses) {
        Set<String> reached = new TreeSet<>();
        List<String> open = new ArrayList<>(uses.getOrDefault(folder, Set.of()));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (reached.add(next)) {
                open.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return reached;
    }

    private static Map<String, Set<String>> read() {
        Map<String, Element> poms = new LinkedHashMap<>();
        collect("", poms);
        Map<String, String> folders = new HashMap<>();
        poms.forEach((folder, pom) -> folders.put(text(pom, "artifactId"), folder));
        Map<String, Set<String>> uses = new LinkedHashMap<>();
        poms.forEach((folder, pom) -> {
            Set<String> used = new TreeSet<>();
            for (Element list : children(pom, "dependencies")) {
                for (Element dependency : children(list, "dependency")) {
                    String module = folders.get(text(dependency, "artifactId"));
                    if (module != null && !text(dependency, "scope").equals("test")) {
                        used.add(module);
                    }
                }
            }
            uses.put(folder, used);
        });
        return uses;
    }

    private static void collect(String folder, Map<String, Element> poms) {
        Element pom = parse(ROOT.resolve(folder).resolve("pom.xml"));
        List<Element> modules = children(pom, "modules").stream()
                .flatMap(list -> children(list, "module").stream())
                .toList();
        if (modules.isEmpty()) {
            poms.put(folder, pom);
        }
        for (Element module : modules) {
            String name = module.getTextContent().strip();
            collect(folder.isEmpty() ? name : folder + "/" + name, poms);
        }
    }

    private static Element parse(Path pom) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            Document document = factory.newDocumentBuilder().parse(pom.toFile());
            return document.getDocumentElement();
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new AssertionError("cannot read " + pom, e);
        }
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static String text(Element parent, String name) {
        return children(parent, name).stream()
                .map(element -> element.getTextContent().strip())
                .findFirst()
                .orElse("");
    }
}
