/** A result as a table, as JSON, as CSV and as a page. */
@NullMarked
package io.lambdafs.hammer.report;

import org.jspecify.annotations.NullMarked;
