package io.lambdafs.door.s3.wire;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An element of a request's XML. Immutable.
 *
 * @param text of an element without children
 */
public record XmlIn(String name, String text, List<XmlIn> children) {
    private static final int DEEPEST = 16;

    public XmlIn {
        children = List.copyOf(children);
    }

    /**
     * Reads a document without entities.
     *
     * @param root the name of its element
     * @throws S3Failure MalformedXML
     */
    public static XmlIn read(byte[] document, String root) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            XMLStreamReader in = factory.createXMLStreamReader(new ByteArrayInputStream(document));
            while (in.next() != XMLStreamConstants.START_ELEMENT) {
                if (in.getEventType() == XMLStreamConstants.DTD) {
                    throw malformed("a document type is declared");
                }
            }
            XmlIn read = element(in, 0);
            if (!read.name.equals(root)) {
                throw malformed("it is " + read.name + ", not " + root);
            }
            return read;
        } catch (XMLStreamException e) {
            throw new S3Failure(S3Code.MALFORMED_XML, "the XML is not well-formed", e);
        }
    }

    private static XmlIn element(XMLStreamReader in, int depth) throws XMLStreamException {
        if (depth > DEEPEST) {
            throw malformed("its elements are nested deeper than " + DEEPEST);
        }
        String name = in.getLocalName();
        StringBuilder text = new StringBuilder();
        List<XmlIn> children = new ArrayList<>();
        while (true) {
            switch (in.next()) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(in, depth + 1));
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(in.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    return new XmlIn(name, text.toString(), children);
                }
                default -> {
                    // Comments and the like.
                }
            }
        }
    }

    public static S3Failure malformed(String why) {
        return new S3Failure(S3Code.MALFORMED_XML, "the XML is not what this call takes: " + why);
    }

    public List<XmlIn> all(String child) {
        return children.stream().filter(each -> each.name.equals(child)).toList();
    }

    /** Returns the text of a child; empty if there is none. */
    public String get(String child) {
        return children.stream()
                .filter(each -> each.name.equals(child))
                .map(XmlIn::text)
                .findFirst()
                .orElse("");
    }

    public boolean has(String child) {
        return children.stream().anyMatch(each -> each.name.equals(child));
    }
}
