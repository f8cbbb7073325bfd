/** Checks that the documents under {@code docs} and the sources agree: citations, links, and the names that a document gives. */
@NullMarked
package io.lambdafs.systemtests.docs;

import org.jspecify.annotations.NullMarked;
