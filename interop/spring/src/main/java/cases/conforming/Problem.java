package cases.conforming;

import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A failure as a problem detail that names the field. */
class Problem extends ErrorResponseException {
  Problem(HttpStatus status, String field, String what) {
    super(status, detail(status, field, what), null);
  }

  private static ProblemDetail detail(HttpStatus status, String field, String what) {
    ProblemDetail detail = ProblemDetail.forStatusAndDetail(status, "'" + field + "' " + what);
    detail.setProperty("errors", Map.of(field, what));
    return detail;
  }
}
