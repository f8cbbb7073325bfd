package io.lambdafs.door.s3.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes an answer in XML, in S3's namespace. For one thread. */
public final class XmlOut {
    private static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

    private final StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    private final Deque<String> open = new ArrayDeque<>();

    /** @param root element, in S3's namespace */
    public XmlOut(String root) {
        text.append('<').append(root).append(" xmlns=\"").append(NAMESPACE).append("\">");
        open.push(root);
    }

    private XmlOut() {}

    /** Returns an error's document, which has no namespace. */
    static XmlOut error() {
        XmlOut out = new XmlOut();
        return out.open("Error");
    }

    public XmlOut open(String name) {
        text.append('<').append(name).append('>');
        open.push(name);
        return this;
    }

    public XmlOut close() {
        text.append("</").append(open.pop()).append('>');
        return this;
    }

    /** Writes an element with a text; nothing for null. */
    public XmlOut put(String name, @Nullable Object value) {
        if (value != null) {
            text.append('<').append(name).append('>');
            escape(value.toString());
            text.append("</").append(name).append('>');
        }
        return this;
    }

    /** Writes an element with a text that its reader knows: the characters that XML cannot hold are question marks. */
    public XmlOut tell(String name, String text) {
        return put(name, text.replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]", "?"));
    }

    /** Writes an element that says who owns something. */
    public XmlOut owner(String name, String user) {
        return open(name).put("ID", user).put("DisplayName", user).close();
    }

    /** Writes an element that says to which user something is granted. */
    public XmlOut grantee(String user) {
        text.append("<Grantee xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"CanonicalUser\">");
        open.push("Grantee");
        return put("ID", user).put("DisplayName", user).close();
    }

    private void escape(String value) {
        value.codePoints().forEach(each -> {
            switch (each) {
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                case '"' -> text.append("&quot;");
                default -> {
                    if (each < ' ') {
                        text.append("&#x")
                                .append(Integer.toHexString(each).toUpperCase(Locale.ROOT))
                                .append(';');
                    } else {
                        text.appendCodePoint(each);
                    }
                }
            }
        });
    }

    /** Closes what is open and returns the document. */
    public byte[] bytes() {
        while (!open.isEmpty()) {
            close();
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
