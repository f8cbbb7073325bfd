/** The limits of the protocol, and what runs later or again and again. */
@NullMarked
package io.lambdafs.model.time;

import org.jspecify.annotations.NullMarked;
