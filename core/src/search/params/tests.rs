use super::*;

#[test]
fn names_are_distinct_and_in_lower_case() {
    let mut names: Vec<_> = Params::ALL.iter().map(|p| p.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Params::ALL.len());
    assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
}

#[test]
fn every_number_has_its_default_and_a_meaning() {
    for param in Params::ALL {
        assert_eq!(Params::DEFAULT.get(param.name), Some(param.default));
        let Param { meaning, .. } = param;
        assert!(meaning.ends_with('.') && !meaning.contains("  ") && !meaning.starts_with(' '));
    }
    assert_eq!(Params::DEFAULT.changed().count(), 0);
}

#[test]
fn every_number_can_be_set_within_its_bounds() {
    for param in Params::ALL {
        let mut params = Params::DEFAULT;
        for value in [param.min, param.max] {
            assert_eq!(params.set(param.name, value), Ok(()));
            assert_eq!(params.get(param.name), Some(value));
            let changed: Vec<_> = params.changed().collect();
            let expected = Assignment::new(param, value).unwrap();
            assert_eq!(changed, if value == param.default { vec![] } else { vec![expected] });
        }
        let before = params;
        for value in [param.min - 1, param.max + 1, i32::MIN, i32::MAX] {
            let error = ParamError::OutOfBounds { param, value };
            assert_eq!(params.set(param.name, value), Err(error));
        }
        assert_eq!(params, before);
    }
}

#[test]
fn assignments_are_read_as_they_are_written() {
    for param in Params::ALL {
        for value in [param.min, param.default, param.max] {
            let assignment = Assignment::new(param, value).unwrap();
            assert_eq!(assignment.to_string().parse(), Ok(assignment));
        }
    }
}

#[test]
fn what_cannot_be_assigned_is_told() {
    let error = |text: &str| text.parse::<Assignment>().unwrap_err().to_string();
    assert_eq!(error("aspiration"), "\"aspiration\" is not NAME=VALUE");
    assert_eq!(error("=3"), "no parameter is called \"\"");
    assert_eq!(error("Aspiration=20"), "no parameter is called \"Aspiration\"");
    assert_eq!(error("aspiration=2.5"), "\"2.5\" is not a whole number for aspiration");
    assert_eq!(error("aspiration= 20"), "\" 20\" is not a whole number for aspiration");
    assert_eq!(error("aspiration=3"), "aspiration is from 4 to 200, not 3");
    let mut params = Params::DEFAULT;
    assert_eq!(params.set("nothing", 1), Err(ParamError::Unknown("nothing".to_owned())));
    assert_eq!((params, params.get("nothing")), (Params::DEFAULT, None));
}

#[test]
fn of_several_values_for_one_number_the_last_counts() {
    let read = |text: &str| text.parse::<Assignment>().unwrap();
    let params: Params =
        ["aspiration=30", "razor_base=1", "aspiration=31"].map(read).into_iter().collect();
    assert_eq!((params.get("aspiration"), params.get("razor_base")), (Some(31), Some(1)));
    assert_eq!(params.changed().count(), 2);
}
